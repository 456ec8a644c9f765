/** What a shop charges besides its prices, or has in them: what everybody is told beside prices. */
export type SaleTerms = {
  /** whether the prices of products and of delivery contain tax; null: nothing is taxed */
  tax: 'included' | 'excluded' | null
  chargesDelivery: boolean
}

/** Of a shop that has set neither: its prices are what buyers pay. */
export const noFurtherCharges: SaleTerms = { tax: null, chargesDelivery: false }

/** Delivery and tax depend on the country, which only the checkout asks for. */
export const sellsByBasketOnly = ({ tax, chargesDelivery }: SaleTerms): boolean => tax !== null || chargesDelivery
