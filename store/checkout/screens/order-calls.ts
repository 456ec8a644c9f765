import type { checkOut, estimateCheckout } from '#store/checkout/contract.ts'
import type { EndpointRoute } from '#web/api-caller.ts'

/* The calls of the form without their schemas: see checkout-calls.ts. */

export const estimateCall: EndpointRoute<typeof estimateCheckout> = { method: 'GET', url: '/checkout/estimate' }
export const checkoutCall: EndpointRoute<typeof checkOut> = { method: 'POST', url: '/checkout' }
