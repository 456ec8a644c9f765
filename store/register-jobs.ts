import type { Database } from '#platform/database.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { Mailer } from '#platform/mail.ts'
import { deleteOldCarts } from './cart/rules.ts'
import { deleteOldSharedCarts } from './cart/shared-carts.ts'
import { mendDueProducts } from './catalogue/definitions/mend-products.ts'
import { deleteOldProductHistory } from './catalogue/product-history.ts'
import { deleteOldDrafts } from './checkout/drafts.ts'
import { deleteEndedInvitations, sendDueInvitation } from './companies/invitations.ts'
import type { DomainEvents, WorkerName } from './domain-events.ts'
import { deleteOldOwnerNotices, sendDueOwnerNotice } from './identity/owner-notices.ts'
import { processDueImport } from './imports/due-imports.ts'
import { deleteOldImports } from './imports/rules.ts'
import { matchDueEntries } from './orders/bank/import-statement.ts'
import { extendHoldsOfVerified, remindOfTransfers } from './orders/bank/transfer-instructions.ts'
import { deleteOldBuyerNetworks } from './orders/buyer-limits.ts'
import { processDueDocument } from './orders/documents/render-documents.ts'
import { sendDueOrderEmail } from './orders/emails.ts'
import { remindOfOverdue, sendDueReminder } from './orders/on-account/reminders.ts'
import type { CardProvider } from './orders/payments/card-provider.ts'
import { endOverdueOrders } from './orders/payments/end-order.ts'
import { deleteOldEvents, processDueWebhookEvent, pullMissedEvents } from './orders/payments/events.ts'
import { runDueRefund } from './orders/payments/refunds.ts'
import { settleUnresolvedPayments } from './orders/payments/rules.ts'
import { assumeDeliveries } from './orders/shipments/deliveries.ts'
import { deleteOldProfileChanges } from './profiles/profile-changes.ts'
import { deleteOldProductChanges } from './search/live-index.ts'

type JobDeps = {
  jobs: Jobs<WorkerName>
  db: Database
  events: DomainEvents
  cards: CardProvider
  mailer: Mailer
  publicUrl: string
  /** signs the links of guests' orders */
  secret: string
}

/**
 * Registers the background jobs of the modules: product imports, payment provider events including missed ones, due refunds and e-mails,
 * and expired holds.
 */
export function registerJobs({ jobs, db, cards, events, mailer, publicUrl, secret }: JobDeps) {
  jobs.registerWorker(
    'imports',
    async () => (await processDueImport(db, events.importEnded)) || tellIfDone(mendDueProducts(db), events.productsChanged),
  )
  jobs.registerWorker('card events', () => tellIfDone(processDueWebhookEvent(db, cards), events.orderChanged))
  jobs.registerWorker('refunds', () => tellIfDone(runDueRefund(db, cards), events.orderChanged))
  jobs.registerWorker('owner notices', () => sendDueOwnerNotice(db, mailer, publicUrl))
  // Also reminders of companies: each worker keeps a connection free for itself.
  jobs.registerWorker(
    'order emails',
    async () => (await sendDueOrderEmail(db, mailer, { publicUrl, secret })) || sendDueReminder(db, mailer, publicUrl),
  )
  jobs.registerWorker('documents', () => tellIfDone(processDueDocument(db), events.documentMade))
  jobs.registerWorker('company invitations', () => sendDueInvitation(db, mailer, publicUrl))
  jobs.registerEveryMinute('read events', async () => void (await tellIfDone(isAny(pullMissedEvents(db, cards)), events.cardEventsStored)))
  // Told also after an error: of several payments or entries the others may have been settled.
  jobs.registerEveryMinute(
    'settle payments in question',
    async () => {
      const [isChanged] = await Promise.allSettled([matchDueEntries(db, cards)])
      if (isChanged.status === 'rejected' || isChanged.value) events.orderChanged()
      if (isChanged.status === 'rejected') throw isChanged.reason
    },
    () => settleUnresolvedPayments(db, cards).finally(events.paymentSettled),
  )
  // One job for what only reads and writes the database: each job keeps a connection free for itself.
  jobs.registerEveryMinute(
    'assume deliveries, forget changes',
    async () => void (await assumeDeliveries(db)),
    async () => {
      await deleteOldProductChanges(db)
      await deleteOldProductHistory(db)
      await deleteOldProfileChanges(db)
    },
  )
  jobs.registerEveryMinute('forget old imports, notices, events, networks and invitations', async () => {
    await deleteOldImports(db)
    await deleteOldOwnerNotices(db)
    await deleteOldEvents(db)
    await deleteOldBuyerNetworks(db)
    await deleteEndedInvitations(db)
  })
  jobs.registerEveryMinute('forget old baskets', async () => {
    await deleteOldCarts(db)
    await deleteOldSharedCarts(db)
    await deleteOldDrafts(db)
  })
  jobs.registerEveryMinute(
    'end holds',
    async () => {
      await extendHoldsOfVerified(db) // before they end, which a failure puts off
      await endExpiredHolds({ db, cards, events })
    },
    async () => void (await tellIfDone(remindOfTransfers(db), events.orderChanged)),
    async () => void (await tellIfDone(isAny(remindOfOverdue(db)), events.reminderRecorded)),
  )
}

async function tellIfDone(work: Promise<boolean>, tell: () => void): Promise<boolean> {
  const isDone = await work
  if (isDone) tell()
  return isDone
}

const isAny = async (counted: Promise<number>): Promise<boolean> => (await counted) > 0

export const endExpiredHolds = async ({ db, cards, events }: Pick<JobDeps, 'db' | 'cards' | 'events'>): Promise<void> =>
  void (await tellIfDone(isAny(endOverdueOrders(db, cards)), events.orderChanged))
