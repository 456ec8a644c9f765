import { createContext, useContext } from 'react'
import { noFurtherCharges, type SaleTerms } from '#shared/sale-terms.ts'

/** Set by the root. */
export const SaleTermsContext = createContext<SaleTerms>(noFurtherCharges)
export const useSaleTerms = () => useContext(SaleTermsContext)
