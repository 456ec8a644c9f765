import { Readable } from 'node:stream'
import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { enforceRateLimit } from '#platform/rate-limits.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import { viewerKey } from '#store/orders/buyer.ts'
import type { OrderGuards } from '#store/orders/buyer-guard.ts'
import { type BuyerQueue, createBuyerLimiter } from '#store/orders/keyed-limiter.ts'
import { type CardProvider, providerResponseTimeoutMs } from '#store/orders/payments/card-provider.ts'
import {
  addBankEntry,
  completeTransferRefund,
  confirmGuestEmail,
  decideBankEntry,
  importStatement,
  listBankEntries,
  loadProForma,
  showTransferInstructions,
  statementLimits,
} from './contract.ts'
import { decideEntry } from './decide-entry.ts'
import { addEntryByHand, importStatement as importFile } from './import-statement.ts'
import { findEntry, listEntries } from './list-entries.ts'
import { renderProForma } from './pro-forma.ts'
import { confirmEmail, showTransfer } from './transfer-instructions.ts'
import { markRefundDone } from './transfer-refunds.ts'

type Deps = BuyerQueue & {
  db: Database
  guards: OrderGuards
  events: DomainEvents
  cards: CardProvider
  /** signs the links of guests' orders */
  secret: string
}

export function registerBankRoutes(app: HttpApp, deps: Deps) {
  registerEntryRoutes(app, deps)
  registerTransferRoutes(app, deps)
}

const maxBytes = statementLimits.megabytes * 1024 * 1024
const tooLargeError = () =>
  new HttpError(
    400,
    `The file is larger than ${statementLimits.megabytes} MB: load the statement from the bank in smaller parts`,
    undefined,
    {
      code: 'file_too_large',
    },
  )

/** Reading and matching a file of thousands of entries takes a while. */
const importTimeoutMs = 120_000
/** One statement at a time in this process, from its first byte on: it is in memory, and its reader may take much more. */
const importLimits = { maxConcurrent: 1, maxQueued: 4, queueTimeoutMs: 60_000, beforeStart: async () => {} }
/** A client that takes longer to send a statement keeps nobody else from sending one. */
const maxUploadMs = 60_000

function registerEntryRoutes(app: HttpApp, { db, guards, events, cards }: Deps) {
  const imports = createConcurrencyLimiter(importLimits)
  const announcing = <Done>(work: Promise<Done>): Promise<Done> =>
    work.finally(() => {
      events.ownerNoticesRecorded()
      events.orderChanged()
    })
  app.register(async (files: HttpApp) => {
    files.addContentTypeParser('application/octet-stream', (_request, bytes, done) => done(null, bytes))
    files.route({
      ...importStatement,
      onRequest: guards.admin,
      config: { responseTimeoutMs: importTimeoutMs },
      handler: async ({ query: { name, again, ...columns }, body, user, headers }, reply) => {
        if (!(body instanceof Readable)) throw new HttpError(400, 'Send the file itself, as application/octet-stream')
        reply.header('connection', 'close') // the rest of a refused file is not read
        if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLargeError()
        const importOne = async () => {
          const bytes = await readAll(body)
          return announcing(importFile(db, cards, user, { name, bytes, columns, again: again === 'true' }))
        }
        return reply.code(201).send(await imports.run(importOne, user.id))
      },
    })
  })
  app.route({ ...listBankEntries, onRequest: guards.admin, handler: ({ query, user }) => listEntries(db, { ...query, admin: user }) })
  app.route({
    ...addBankEntry,
    onRequest: guards.owner,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ body: { again, ...entry }, user }, reply) =>
      reply.code(201).send(await announcing(addEntryByHand(db, cards, user, { entry, again }))),
  })
  app.route({
    ...decideBankEntry,
    onRequest: guards.admin,
    config: { responseTimeoutMs: providerResponseTimeoutMs },
    handler: async ({ params: { id }, body, user }) => {
      await announcing(decideEntry(db, cards, { ...body, entryId: id, admin: user }))
      return findEntry(db, id)
    },
  })
  app.route({
    ...completeTransferRefund,
    onRequest: guards.owner,
    handler: ({ params, body, user }) => announcing(markRefundDone(db, user, params.id, body.doneOn)),
  })
}

async function readAll(body: Readable): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const timer = setTimeout(() => body.destroy(new Error('The statement was sent too slowly')), maxUploadMs).unref()
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      length += chunk.length
      if (length > maxBytes) break
      chunks.push(chunk)
    }
  } catch {
    throw new HttpError(400, 'The file could not be uploaded: try again', undefined, { code: 'upload_interrupted' })
  } finally {
    clearTimeout(timer)
  }
  if (length > maxBytes) throw tooLargeError()
  if (length === 0) throw new HttpError(400, 'The file is empty', undefined, { code: 'file_empty' })
  return Buffer.concat(chunks)
}

/** A document waits for those before it in the thread that renders. */
const renderingTimeoutMs = 60_000
/** Each is made anew, in the thread that makes invoices, too. */
const proFormaWindow = { max: 60, seconds: 3600 }

function registerTransferRoutes(app: HttpApp, deps: Deps) {
  const { db, guards, secret } = deps
  const rendering = createBuyerLimiter(deps, 1)
  app.route({ ...showTransferInstructions, onRequest: guards.buyer, handler: ({ params, viewer }) => showTransfer(db, viewer, params.id) })
  app.route({
    ...loadProForma,
    onRequest: guards.buyer,
    config: { responseTimeoutMs: renderingTimeoutMs },
    handler: async ({ params, viewer }, reply) => {
      await enforceRateLimit(
        db,
        `pro formas of ${viewerKey(viewer)}`,
        proFormaWindow,
        'You have loaded as many pro formas as you can within an hour',
      )
      const { name, pdf } = await rendering.run(viewerKey(viewer), () => renderProForma(db, viewer, params.id))
      return reply.type('application/pdf').header('content-disposition', `attachment; filename="${name}"`).send(pdf)
    },
  })
  app.route({
    ...confirmGuestEmail,
    onRequest: guards.buyer,
    handler: ({ params, body, viewer }) => confirmEmail(db, secret, viewer, params.id, body.token),
  })
}
