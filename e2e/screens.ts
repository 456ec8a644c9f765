import { adminScreens } from './screens/admin.ts'
import { bankScreens } from './screens/bank.ts'
import { companyScreens } from './screens/companies.ts'
import { customerScreens } from './screens/customer.ts'
import { onAccountScreens } from './screens/on-account.ts'
import { returnScreens } from './screens/returns.ts'
import type { Screen } from './screens/screen.ts'
import { sellerScreens } from './screens/seller.ts'
import { sendingScreens } from './screens/sending.ts'
import { taxAndDeliveryScreens } from './screens/tax-and-delivery.ts'
import { visitorScreens } from './screens/visitor.ts'

/**
 * Every screen of the store and what it can look like. `npm run pictures` takes a picture of each, and row I1 of the proof looks at each for
 * what would keep somebody out. A route of store/routes.ts that is missing there turns I1 red.
 */
export const screens: Screen[] = [
  ...visitorScreens,
  ...customerScreens,
  ...companyScreens,
  ...adminScreens,
  ...returnScreens,
  ...sendingScreens,
  ...taxAndDeliveryScreens,
  ...sellerScreens,
  ...bankScreens,
  ...onAccountScreens,
]
