import { Readable } from 'node:stream'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Jobs } from '#platform/jobs.ts'
import { Refusal } from '#platform/refusal.ts'
import type { Guards } from '#store/identity/guards.ts'
import { Export, listImports, runImport, sendImport, showImport } from '../contract.ts'
import { dueImports } from './due-imports.ts'
import { exportParts } from './export.ts'
import { findImport, keepFile, lastImports, letRun, refuseTooLarge } from './sent-files.ts'

/** A slow line may take its time with a file; how long a whole request may take, the server says. */
const answerMs = 60_000

/** The admin's calls to import and export the catalogue. */
export function importCalls(app: Http, { db, guards, jobs }: { db: Database; guards: Guards; jobs: Jobs }) {
  app.register(async (files: Http) => {
    files.addContentTypeParser('application/octet-stream', (_request, bytes, done) => done(null, bytes))
    files.route({
      ...sendImport,
      onRequest: guards.admin,
      config: { answerMs },
      handler: async ({ query, body, user, headers }, reply) => {
        if (!(body instanceof Readable)) throw new Refusal(400, 'Send the file itself, as application/octet-stream')
        reply.header('connection', 'close') // what is left of a file that is refused is not waited for
        const announcedBytes = Number(headers['content-length'] ?? 0)
        refuseTooLarge(announcedBytes)
        const kept = await keepFile(db, { name: query.name, by: user.id, bytes: body, announcedBytes })
        jobs.wake(dueImports)
        return reply.code(201).send(kept)
      },
    })
  })

  app.route({ ...listImports, onRequest: guards.admin, handler: () => lastImports(db) })

  app.route({ ...showImport, onRequest: guards.admin, handler: ({ params }) => findImport(db, params.id) })

  app.route({
    ...runImport,
    onRequest: guards.admin,
    handler: async ({ params, body, user }) => {
      const started = await letRun(db, params.id, { ...body, by: user.id })
      jobs.wake(dueImports)
      return started
    },
  })

  // A file and no JSON, so it is not among the calls that the API document describes.
  app.route({
    method: 'GET',
    url: '/export',
    schema: { hide: true, querystring: Export },
    onRequest: guards.admin,
    handler: ({ query: { format } }, reply) =>
      reply
        .type(format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson; charset=utf-8')
        .header('content-disposition', `attachment; filename="catalogue.${format}"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(exportParts(db, format))),
  })
}
