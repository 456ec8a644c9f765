import type { joinCart, showCart } from '#store/cart/contract.ts'
import type { checkOut, estimateCheckout, listCheckoutCountries, showCheckoutDefaults } from '#store/checkout/contract.ts'
import type { EndpointRoute } from '#web/api-caller.ts'

/* The calls of the checkout without their schemas, which the form loads with the first press of a key. */

export const cartCall: EndpointRoute<typeof showCart> = { method: 'GET', url: '/cart' }
export const joinCall: EndpointRoute<typeof joinCart> = { method: 'POST', url: '/cart/join' }
export const countriesCall: EndpointRoute<typeof listCheckoutCountries> = { method: 'GET', url: '/checkout/countries' }
export const estimateCall: EndpointRoute<typeof estimateCheckout> = { method: 'GET', url: '/checkout/estimate' }
export const defaultsCall: EndpointRoute<typeof showCheckoutDefaults> = { method: 'GET', url: '/checkout/defaults' }
export const checkoutCall: EndpointRoute<typeof checkOut> = { method: 'POST', url: '/checkout' }
