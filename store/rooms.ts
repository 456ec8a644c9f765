import type { Afterwards } from '#platform/afterwards.ts'
import type { Changes } from '#platform/changes.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { PageCache } from '#platform/page-cache.ts'
import { catalogueCalls } from './catalogue/api.ts'
import { identityCalls } from './identity/api.ts'
import { openGuards } from './identity/guards.ts'
import type { SignIn } from './identity/sign-in.ts'
import { orderCalls } from './orders/api.ts'
import { pageCalls } from './pages/api.ts'
import type { Portfolio } from './pages/contract.ts'
import { paymentCalls } from './payments/api.ts'
import type { CardProvider } from './payments/card-provider.ts'
import { openWebhook } from './payments/webhook.ts'
import { profileCalls } from './profiles/api.ts'
import { reviewCalls } from './reviews/api.ts'

/** The rooms, in the order in which they may know one another: a room imports only rooms before it. */
export const rooms = ['identity', 'profiles', 'catalogue', 'orders', 'payments', 'reviews', 'dashboard', 'pages'] as const

type House = {
  db: Database
  changes: Changes
  pages: PageCache
  afterwards: Afterwards
  signIn: SignIn
  cards: CardProvider
  portfolio: Portfolio
}

/** Opens every room's calls under `/api`, and the webhook beside it. */
export function openRooms(app: Http, house: House) {
  const guards = openGuards(app, house.db, house.signIn.provider)
  openWebhook(app, house)
  app.register(
    async (api) => {
      const within = { ...house, guards }
      identityCalls(api, within)
      profileCalls(api, within)
      catalogueCalls(api, within)
      orderCalls(api, within)
      paymentCalls(api, within)
      reviewCalls(api, within)
      pageCalls(api, within)
      api.all('/*', { schema: { hide: true } }, (_request, reply) => reply.callNotFound())
    },
    { prefix: '/api' },
  )
}
