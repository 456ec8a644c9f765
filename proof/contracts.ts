import type { Call } from '#store/call.ts'
import * as catalogue from '#store/catalogue/contract.ts'
import * as identity from '#store/identity/contract.ts'
import * as orders from '#store/orders/contract.ts'
import * as overview from '#store/overview/contract.ts'
import * as pages from '#store/pages/contract.ts'
import * as payments from '#store/payments/contract.ts'
import * as profiles from '#store/profiles/contract.ts'
import * as reviews from '#store/reviews/contract.ts'

const isCall = (said: unknown): said is Call => typeof said === 'object' && said !== null && 'method' in said && 'schema' in said

/** Every call that a contract names. */
export const contracts: Call[] = [identity, profiles, catalogue, orders, payments, reviews, pages, overview].flatMap((contract) =>
  Object.values<unknown>(contract).filter(isCall),
)

/** The contract of a route such as `GET /api/tools/:id`; hidden routes have none. */
export const contractOf = (route: string): Call | undefined => contracts.find(({ method, url }) => `${method} /api${url}` === route)
