import * as build from 'virtual:react-router/server-build'
import { createRequestHandler, data, RouterContextProvider } from 'react-router'
import type { Refused } from '#store/call.ts'
import { door, type Render } from './door.ts'
import { shop } from './shop.ts'

const answer = createRequestHandler(build, import.meta.env.MODE)

/**
 * Hands the door and the shop to the loaders through React Router's context. Who is asking, no screen of the server knows.
 * A page of which a call failed (500 and above) has the status of that call and says its words.
 */
export const render: Render = async (request, from) => {
  const context = new RouterContextProvider()
  let retryAfter: string | null = null
  context.set(door, async (path, question) => {
    const said = await from.door(path, question)
    if (said.status < 500) return said
    retryAfter = said.headers.get('retry-after')
    const refused: Refused = await said.json()
    throw data(refused, said.status)
  })
  context.set(shop, from.shop)
  const page = await answer(request, context)
  if (page.status === 503 && retryAfter) page.headers.set('retry-after', retryAfter)
  return page
}
