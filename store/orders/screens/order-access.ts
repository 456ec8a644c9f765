import { createContext, useContext } from 'react'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Purchase } from '#store/orders/contract.ts'
import { accountStorage } from '#web/account.ts'
import type { EndpointInput, EndpointOutput, EndpointRoute } from '#web/api-caller.ts'
import { callApi, throwNetworkError } from '#web/call-api.ts'
import { isOthersOrder } from './is-others-order.ts'

/** How a page reaches an order: as the account that has signed in, or by the link of an order that was placed by a guest. */
export type OrderAccess = {
  isByLink: boolean
  call: <C extends Endpoint>(
    endpoint: C | EndpointRoute<C>,
    input: EndpointInput<C> & { idempotencyKey?: string },
  ) => Promise<EndpointOutput<C>>
  /** @param path in the API */
  download: (path: string, fileName: string) => Promise<void>
  /** whether it is another buyer's, who then is "the buyer" instead of "you" */
  isOthers: (order: Pick<Purchase, 'buyerEmail'>) => boolean
  /** whether this e-mail is that of the viewer; whoever comes by a link is the buyer, whoever is signed in at the browser */
  isViewer: (email: string) => boolean
  orderUrl: (order: Pick<Purchase, '_id' | 'buyerEmail'>) => string
  paymentUrl: (order: Pick<Purchase, '_id'>) => string
}

export const accountAccess: OrderAccess = {
  isByLink: false,
  call: callApi,
  download: async (path, fileName) => (await import('#web/download.ts')).downloadFile(path, fileName),
  isOthers: isOthersOrder,
  isViewer: (email) => email === accountStorage.get()?.email,
  orderUrl: (order) => `/dashboard/${isOthersOrder(order) ? 'order' : 'myorder'}/${order._id}`,
  paymentUrl: ({ _id }) => `/dashboard/payment/${_id}`,
}

/** @param token of the link: see `orderIdOfToken` */
export function createLinkAccess(token: string): OrderAccess {
  const page = `/order/${token}`
  const authorization = { authorization: `Bearer order-${token}` }
  return {
    isByLink: true,
    call: (endpoint, input) =>
      callApi(endpoint, input, (path, request) =>
        fetch(path, { ...request, headers: { ...request.headers, ...authorization } }).catch(throwNetworkError),
      ),
    download: async (path, fileName) => (await import('#web/download.ts')).downloadFile(path, fileName, authorization),
    isOthers: () => false,
    isViewer: () => true,
    orderUrl: () => page,
    paymentUrl: () => `${page}?pay=1`,
  }
}

/** For whoever comes by a link that leads nowhere any more. */
export const linkEndedTitle = 'The link to this order has ended'

export const OrderAccessContext = createContext(accountAccess)
export const useOrderAccess = (): OrderAccess => useContext(OrderAccessContext)
