import { createContext } from 'react-router'
import type { Shop } from './shop.ts'

/** Where a request goes: over the network from the browser, straight into the API while the server renders. */
export type Door = (path: string, request: RequestInit) => Promise<Response>

/** The API's door, handed to every loader on the server by `web/render.ts`: `send(call, input, context.get(door))`. */
export const door = createContext<Door>()

/** A screen, or the data of one, as `web/render.ts` renders it for the server. */
export type Render = (request: Request, from: { door: Door; shop: Shop }) => Promise<Response>
