import { finished, type Readable } from 'node:stream'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import type { Guards } from '#store/identity/guards.ts'
import { listDocumentMonths, loadDocumentArchive, missingFilesHeader } from './contract.ts'
import * as archive from './rules.ts'

/** Until the answer begins: files that are still to be made are made first. */
const responseTimeoutMs = 60_000
/** A client that takes longer to read an archive loses it, so that it keeps nobody else from one. */
const maxReadMs = 15 * 60_000

export function registerArchiveRoutes(app: HttpApp, { db, guards }: { db: Database; guards: Guards }) {
  app.route({
    ...listDocumentMonths,
    onRequest: guards.admin,
    handler: async () => ({ months: await archive.listMonths(db) }),
  })

  let isLoading = false // one archive at a time in this process
  app.route({
    ...loadDocumentArchive,
    onRequest: guards.owner,
    config: { responseTimeoutMs, skipsReadLimit: true },
    handler: async ({ query: { month } }, reply) => {
      if (isLoading)
        throw new HttpError(429, 'The documents of a month are being loaded already: try again once that is done', undefined, {
          retryAfterSeconds: 30,
        })
      isLoading = true
      const end = () => {
        isLoading = false
      }
      const { zip, withoutFiles } = await archive.openArchive(db, month).catch((error) => {
        end()
        throw error
      })
      endTogether(zip, end)
      return reply
        .type('application/zip')
        .header('content-disposition', `attachment; filename="documents-${month}.zip"`)
        .header(missingFilesHeader, withoutFiles)
        .send(zip)
    },
  })
}

/** Calls back once a stream has ended in any way, at the latest after `maxReadMs`. */
function endTogether(zip: Readable, end: () => void): void {
  const timer = setTimeout(() => zip.destroy(new Error('The archive was read too slowly')), maxReadMs).unref()
  finished(zip, () => {
    clearTimeout(timer)
    end()
  })
}
