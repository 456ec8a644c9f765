import { Readable } from 'node:stream'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import { exportAddresses, importTrackingNumbers, trackingFileLimits } from './carrier-files-contract.ts'
import { exportAddresses as writeAddresses } from './export-addresses.ts'
import { importTrackingNumbers as takeOverTrackingNumbers } from './import-tracking.ts'

/** Of as many rows as a file can have, each of which sends an order. */
const responseTimeoutMs = 10 * 60_000

export function registerCarrierFileRoutes(app: HttpApp, { db, guards, events }: { db: Database; guards: Guards; events: DomainEvents }) {
  app.route({
    ...exportAddresses,
    onRequest: guards.admin,
    handler: ({ query }, reply) =>
      reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', 'attachment; filename="addresses.csv"')
        .header('cache-control', 'no-store')
        .send(Readable.from(writeAddresses(db, query.order))),
  })

  app.route({
    ...importTrackingNumbers,
    onRequest: guards.admin,
    bodyLimit: trackingFileLimits.characters * 4,
    config: { responseTimeoutMs },
    handler: async ({ body, user }) => {
      const report = await takeOverTrackingNumbers(db, user, body)
      if (body.run) {
        events.ownerNoticesRecorded()
        events.orderSent()
      }
      return report
    },
  })
}
