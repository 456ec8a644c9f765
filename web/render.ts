import * as build from 'virtual:react-router/server-build'
import { createRequestHandler, RouterContextProvider } from 'react-router'
import { door, type Render } from './door.ts'
import { shop } from './shop.ts'

const answer = createRequestHandler(build, import.meta.env.MODE)

/** Hands the door and the shop to the loaders through React Router's context. Who is asking, no screen of the server knows. */
export const render: Render = (request, from) => {
  const context = new RouterContextProvider()
  context.set(door, from.door)
  context.set(shop, from.shop)
  return answer(request, context)
}
