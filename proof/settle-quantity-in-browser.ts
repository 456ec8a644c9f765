/** What `n-quantities.test.ts` builds as the browser's code is built. */
export { setStoreCurrency } from '#shared/currency.ts'
export { settleQuantity } from '#store/catalogue/settle-quantity.ts'
