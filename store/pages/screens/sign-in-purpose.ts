import type { RouterContextProvider } from 'react-router'
import { showTool } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'
import { door } from '#web/door.ts'
import { send } from '#web/send.ts'

const purchase = /^\/purchase\/([\da-f-]{36})(?:\?(.*))?$/

/** What somebody who was sent here wants to order, e.g. "25 x Pliers"; undefined for everybody else. For loaders. */
export async function wantedBy(request: Request, context: Readonly<RouterContextProvider>): Promise<string | undefined> {
  const [, id, question] = purchase.exec(new URL(request.url).searchParams.get('from') ?? '') ?? []
  if (!id) return undefined
  const tool = await send(showTool, { params: { id } }, context.get(door)).catch(() => undefined)
  const quantity = Number(new URLSearchParams(question).get('quantity'))
  return tool && (Number.isInteger(quantity) && quantity > 0 ? `${inFigures(quantity)} x ${tool.name}` : tool.name)
}
