import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import { listDocuments } from '#store/orders/documents/rules.ts'
import { correctInvoice, showCorrectableInvoice } from './contract.ts'
import * as corrections from './rules.ts'

export function registerCorrectionRoutes(app: HttpApp, { db, guards, events }: { db: Database; guards: Guards; events: DomainEvents }) {
  app.route({
    ...showCorrectableInvoice,
    onRequest: guards.owner,
    handler: ({ params }) => corrections.showCorrectableInvoice(db, params.id),
  })
  app.route({
    ...correctInvoice,
    onRequest: guards.owner,
    handler: async ({ params, body, user }, reply) => {
      if (await corrections.correctInvoice(db, user, params.id, body)) events.invoiceCorrected()
      return reply.code(201).send({ documents: await listDocuments(db, user, params.id) })
    },
  })
}
