import { Readable } from 'node:stream'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import { ExportQuery, listImports, runImport, showImport, uploadImport } from './contract.ts'
import { exportProducts } from './export-products.ts'
import { findImport, listRecentImports, runCheckedImport } from './rules.ts'
import { assertUploadSize, storeUpload } from './uploads.ts'

/** Counts from the end of the headers: the HTTP server gives a request 30 s to arrive, and storing the last of the file takes some more. */
const responseTimeoutMs = 60_000

/** Admin endpoints to import and export the catalogue. */
export function registerImportRoutes(app: HttpApp, { db, guards, events }: { db: Database; guards: Guards; events: DomainEvents }) {
  app.register(async (files: HttpApp) => {
    files.addContentTypeParser('application/octet-stream', (_request, bytes, done) => done(null, bytes))
    files.route({
      ...uploadImport,
      onRequest: guards.admin,
      config: { responseTimeoutMs },
      handler: async ({ query, body, user, headers }, reply) => {
        if (!(body instanceof Readable)) throw new HttpError(400, 'Send the file itself, as application/octet-stream')
        reply.header('connection', 'close') // the rest of a refused upload is not read
        const announcedBytes = Number(headers['content-length'] ?? 0)
        assertUploadSize(announcedBytes)
        const stored = await storeUpload(db, { name: query.name, userId: user.id, bytes: body, expectedBytes: announcedBytes })
        events.importQueued()
        return reply.code(201).send(stored)
      },
    })
  })

  app.route({ ...listImports, onRequest: guards.admin, handler: () => listRecentImports(db) })

  app.route({ ...showImport, onRequest: guards.admin, handler: ({ params }) => findImport(db, params.id) })

  app.route({
    ...runImport,
    onRequest: guards.admin,
    handler: async ({ params, body, user }) => {
      const started = await runCheckedImport(db, params.id, { ...body, by: user.id })
      events.importQueued()
      return started
    },
  })

  // Returns a file rather than JSON, so it is not in the API document.
  app.route({
    method: 'GET',
    url: '/export',
    schema: { hide: true, querystring: ExportQuery },
    onRequest: guards.admin,
    handler: ({ query: { format } }, reply) =>
      reply
        .type(format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson; charset=utf-8')
        .header('content-disposition', `attachment; filename="catalogue.${format}"`)
        .header('cache-control', 'no-store')
        .send(Readable.from(exportProducts(db, format))),
  })
}
