import { signInAsAdmin } from './benchmark-store.ts'

const changes = 20
const patienceMs = 10_000

/**
 * How long after its answer a change made at the first address is found at each of these: ten new prices and ten new products, one after
 * another. What is not found within ten seconds counts as those.
 * @returns milliseconds for every change, at the slowest address
 */
export async function measureChangePropagation(addresses: [string, ...string[]], toolId: string): Promise<number[]> {
  const { ask } = await signInAsAdmin(addresses[0])
  const waits: number[] = []
  for (let nth = 0; nth < changes; nth++) {
    const mark = 700_000 + nth
    const added = {
      name: `Bench marker ${mark}`,
      img: '/drawings/part.svg',
      description: 'Put here to be found',
      price: mark,
      minimum_order_quantity: 1,
      available_quantity: 1,
    }
    const isNew = nth % 2 === 0
    if (isNew) await ask('POST', '/tools', added)
    else await ask('PUT', `/tools/${toolId}`, { price: mark, minimum_order_quantity: 1, available_quantity: 1 })
    const changed = performance.now()
    const asked = isNew ? `q=bench+marker+${mark}&price.min=${mark}` : `price.min=${mark}&price.max=${mark}`
    const seen = addresses.map(async (address) => {
      while (performance.now() - changed < patienceMs) {
        const found = await fetch(`${address}/api/search?limit=1&facets=no&${asked}`)
        if (JSON.stringify(await found.json()).includes(`"price":${mark}`)) break
      }
      return performance.now() - changed
    })
    waits.push(Math.max(...(await Promise.all(seen))))
  }
  return waits
}
