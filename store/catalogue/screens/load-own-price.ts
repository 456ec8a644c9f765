import { listOwnPrices, maxOwnPrices } from '#store/catalogue/pricing/contract.ts'
import { callApi } from '#web/call-api.ts'

type Batch = { ids: Set<string>; prices: Promise<Map<string, number>> }
let batch: Batch | undefined

/** The own price of the signed-in customer for a product, if there is one. What a page asks for at the same time is one request. */
export async function loadOwnPrice(productId: string): Promise<number | undefined> {
  if (!batch || batch.ids.size === maxOwnPrices) batch = startBatch()
  batch.ids.add(productId)
  return (await batch.prices).get(productId)
}

function startBatch(): Batch {
  const started: Batch = { ids: new Set(), prices: new Promise((resolve) => setTimeout(resolve)).then(load) }
  async function load() {
    if (batch === started) batch = undefined
    const found = await callApi(listOwnPrices, { querystring: { productId: [...started.ids] } })
    return new Map(found.map(({ productId, price }) => [productId, price]))
  }
  return started
}
