import type { ChangeNotifier } from '#platform/change-notifier.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { Topic } from './topics.ts'

/** The workers of `registerJobs`. */
export type WorkerName = 'imports' | 'card events' | 'refunds' | 'owner notices' | 'order emails' | 'company invitations' | 'documents'

/**
 * What has happened in the store, to be called after the commit. Each event renews every page that shows what changed, in all processes,
 * and wakes the workers that have something to do. Whatever is lost here is made up for: workers poll, and cached pages expire.
 */
export type DomainEvents = ReturnType<typeof createDomainEvents>

export function createDomainEvents(changes: ChangeNotifier<Topic>, jobs: Jobs<WorkerName>) {
  /** The buyer may have an email due, an invoice or a credit note is to be issued, and money that came too late is to be refunded. */
  const wakeOrderWorkers = () => {
    jobs.wakeWorker('order emails')
    jobs.wakeWorker('refunds')
    jobs.wakeWorker('documents')
  }
  return {
    /** An admin has added, changed or removed products, and owners may be told of it. */
    productsChanged() {
      changes.notify('products')
      jobs.wakeWorker('owner notices')
    },
    /** Its pieces have left the stock, and the buyer has an email due. */
    orderPlaced() {
      changes.notify('products')
      jobs.wakeWorker('order emails')
    },
    /** An order was ended or refunded: its pieces may have entered the stock. */
    orderChanged() {
      changes.notify('products')
      wakeOrderWorkers()
    },
    /** Pieces of an order that had left the stock before. */
    orderSent: wakeOrderWorkers,
    /** A buyer has withdrawn from a contract: of an unpaid order, pieces have entered the stock; of a paid one money is to be refunded. */
    orderWithdrawn() {
      changes.notify('products')
      wakeOrderWorkers()
      jobs.wakeWorker('owner notices')
    },
    /** A return was asked for, or pieces of it have arrived: the buyer has an email due. */
    returnChanged: () => jobs.wakeWorker('order emails'),
    invoiceCorrected: wakeOrderWorkers, // the buyer has an email due, and both documents are to be rendered
    /** A payment was settled. The pieces of its order left the stock when it was placed. */
    paymentSettled: wakeOrderWorkers,
    /** What prices contain or what is charged besides may have changed. */
    saleTermsChanged: () => changes.notify('sale-terms'),
    /** Products are to be mended by the new definitions. */
    definitionsChanged() {
      changes.notify('definitions')
      jobs.wakeWorker('imports')
    },
    reviewsChanged: () => changes.notify('reviews'),
    productReviewsChanged: (productId: string) => changes.notify(`reviews:${productId}`),
    importQueued: () => jobs.wakeWorker('imports'),
    /** Products may have been changed, and owners may be told of it. */
    importEnded() {
      changes.notify('products')
      jobs.wakeWorker('owner notices')
    },
    cardEventsStored: () => jobs.wakeWorker('card events'),
    documentsDue: () => jobs.wakeWorker('documents'),
    documentMade: () => jobs.wakeWorker('order emails'), // a mail may have waited for it
    reminderRecorded: () => jobs.wakeWorker('order emails'),
    companyInvitationRecorded: () => jobs.wakeWorker('company invitations'),
    /** Accounts were changed in a way of which owners are told. */
    ownerNoticesRecorded: () => jobs.wakeWorker('owner notices'),
  }
}
