import type { RouterContextProvider } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { showProduct } from '#store/catalogue/contract.ts'
import { apiCallerContext } from '#web/api-caller.ts'

const purchaseUrlPattern = /^\/purchase\/([\da-f-]{36})(?:\?(.*))?$/

type IntendedPurchase = {
  /** such as "25 x Pliers" */
  text: string
  /** the page of the product, with the quantity */
  productUrl: string
}

/** The order for which a visitor was redirected to sign in; undefined if there is none. For loaders. */
export async function intendedPurchase(request: Request, context: Readonly<RouterContextProvider>): Promise<IntendedPurchase | undefined> {
  const [, id, query] = purchaseUrlPattern.exec(new URL(request.url).searchParams.get('from') ?? '') ?? []
  if (!id) return undefined
  const tool = await context
    .get(apiCallerContext)(showProduct, { params: { id } })
    .catch(() => undefined)
  const quantity = Number(new URLSearchParams(query).get('quantity'))
  if (!tool) return undefined
  const productUrl = `/products/${id}`
  if (!Number.isInteger(quantity) || quantity <= 0) return { text: tool.name, productUrl }
  return { text: `${formatNumber(quantity)} x ${tool.name}`, productUrl: `${productUrl}?quantity=${quantity}` }
}
