import type { joinCart, showCart } from '#store/cart/contract.ts'
import type { listCheckoutCountries, showCheckoutDefaults, showCheckoutForm, showLastOrder } from '#store/checkout/contract.ts'
import type { EndpointRoute } from '#web/api-caller.ts'

/* The calls of the pages without their schemas, which the form loads with the first press of a key. Its own calls stand apart: shared with the
form they would be one file more, which every page names. */

export const cartCall: EndpointRoute<typeof showCart> = { method: 'GET', url: '/cart' }
export const joinCall: EndpointRoute<typeof joinCart> = { method: 'POST', url: '/cart/join' }
export const countriesCall: EndpointRoute<typeof listCheckoutCountries> = { method: 'GET', url: '/checkout/countries' }
export const defaultsCall: EndpointRoute<typeof showCheckoutDefaults> = { method: 'GET', url: '/checkout/defaults' }
export const formCall: EndpointRoute<typeof showCheckoutForm> = { method: 'GET', url: '/checkout/form' }
export const lastOrderCall: EndpointRoute<typeof showLastOrder> = { method: 'GET', url: '/checkout/last-order' }
