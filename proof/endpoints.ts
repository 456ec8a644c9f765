import type { Endpoint } from '#shared/endpoint.ts'
import * as cart from '#store/cart/contract.ts'
import * as comparison from '#store/catalogue/compare-contract.ts'
import * as catalogue from '#store/catalogue/contract.ts'
import * as definitions from '#store/catalogue/definitions/contract.ts'
import * as pricing from '#store/catalogue/pricing/contract.ts'
import * as customerGroups from '#store/catalogue/pricing/customer-group-contract.ts'
import * as productHistory from '#store/catalogue/product-history-contract.ts'
import * as productPage from '#store/catalogue/product-page-contract.ts'
import * as checkout from '#store/checkout/contract.ts'
import * as companyAddresses from '#store/companies/address-contract.ts'
import * as companies from '#store/companies/contract.ts'
import * as delivery from '#store/delivery/contract.ts'
import * as costPreview from '#store/delivery/cost-preview-contract.ts'
import * as identity from '#store/identity/contract.ts'
import * as imports from '#store/imports/contract.ts'
import * as adminOrderList from '#store/orders/admin-list-contract.ts'
import * as bank from '#store/orders/bank/contract.ts'
import * as bestsellers from '#store/orders/bestsellers/contract.ts'
import * as orders from '#store/orders/contract.ts'
import * as orderDetails from '#store/orders/details/contract.ts'
import * as documentArchive from '#store/orders/documents/archive/contract.ts'
import * as documents from '#store/orders/documents/contract.ts'
import * as corrections from '#store/orders/documents/corrections/contract.ts'
import * as onAccount from '#store/orders/on-account/contract.ts'
import * as manyLines from '#store/orders/order-contract.ts'
import * as paymentMethods from '#store/orders/payment-methods/contract.ts'
import * as payments from '#store/orders/payments/contract.ts'
import * as adminReturns from '#store/orders/returns/admin-contract.ts'
import * as returns from '#store/orders/returns/contract.ts'
import * as carrierFiles from '#store/orders/shipments/carrier-files-contract.ts'
import * as shipments from '#store/orders/shipments/contract.ts'
import * as shipmentCorrections from '#store/orders/shipments/correction-contract.ts'
import * as toSend from '#store/orders/shipments/to-send-contract.ts'
import * as withdrawals from '#store/orders/withdrawals/contract.ts'
import * as overview from '#store/overview/contract.ts'
import * as pages from '#store/pages/contract.ts'
import * as profiles from '#store/profiles/contract.ts'
import * as reviews from '#store/reviews/contract.ts'
import * as productReviews from '#store/reviews/product-review-contract.ts'
import * as search from '#store/search/contract.ts'
import * as tax from '#store/tax/contract.ts'

const isEndpoint = (said: unknown): said is Endpoint => typeof said === 'object' && said !== null && 'method' in said && 'schema' in said

/** Every call that a contract names. */
export const endpoints: Endpoint[] = [
  identity,
  profiles,
  catalogue,
  comparison,
  productHistory,
  productPage,
  definitions,
  pricing,
  customerGroups,
  search,
  bestsellers,
  imports,
  tax,
  delivery,
  costPreview,
  companies,
  companyAddresses,
  adminOrderList,
  orders,
  manyLines,
  orderDetails,
  documents,
  corrections,
  documentArchive,
  onAccount,
  paymentMethods,
  bank,
  payments,
  adminReturns,
  returns,
  shipments,
  shipmentCorrections,
  carrierFiles,
  toSend,
  withdrawals,
  cart,
  checkout,
  reviews,
  productReviews,
  pages,
  overview,
].flatMap((contract) => Object.values<unknown>(contract).filter(isEndpoint))

/** The contract of a route such as `GET /api/tools/:id`; hidden routes have none. */
export const endpointFor = (route: string): Endpoint | undefined => endpoints.find(({ method, url }) => `${method} /api${url}` === route)
