import type { FastifyReply } from 'fastify'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { OrderGuards } from '#store/orders/buyer-guard.ts'
import { changeSeller, listOrderDocuments, loadDocumentPdf, loadDocumentXml, showSeller } from './contract.ts'
import * as documents from './rules.ts'
import * as sellers from './seller.ts'

type Deps = { db: Database; guards: OrderGuards; events: DomainEvents }

export function registerDocumentRoutes(app: HttpApp, { db, guards, events }: Deps) {
  app.route({ ...showSeller, onRequest: guards.admin, handler: () => sellers.showSeller(db) })
  app.route({
    ...changeSeller,
    onRequest: guards.owner,
    handler: async ({ body, user }) => {
      const changed = await sellers.changeSeller(db, user, body)
      events.documentsDue()
      events.ownerNoticesRecorded()
      return changed
    },
  })
  app.route({
    ...listOrderDocuments,
    onRequest: guards.buyer,
    handler: async ({ params, viewer }) => ({ documents: await documents.listDocuments(db, viewer, params.id) }),
  })
  app.route({
    ...loadDocumentPdf,
    onRequest: guards.buyer,
    handler: async ({ params, viewer }, reply) => {
      const { number, pdf } = await documents.findDocumentFile(db, viewer, params)
      if (!pdf) throw new HttpError(404, 'This document is being made. Try again in a moment')
      return sendFile(reply, `${number}.pdf`, 'application/pdf', pdf)
    },
  })
  app.route({
    ...loadDocumentXml,
    onRequest: guards.buyer,
    handler: async ({ params, viewer }, reply) => {
      const { number, xml } = await documents.findDocumentFile(db, viewer, params)
      if (xml === null) throw new HttpError(404, 'There are no data of this document')
      return sendFile(reply, `${number}.xml`, 'application/xml; charset=utf-8', xml)
    },
  })
}

const sendFile = (reply: FastifyReply, name: string, mediaType: string, content: Uint8Array | string) =>
  reply.type(mediaType).header('content-disposition', `attachment; filename="${name}"`).send(content)
