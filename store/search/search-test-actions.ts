import * as catalogue from '#store/catalogue/rules.ts'
import { anEmptyStore, type Store } from '#test/store.ts'
import { SearchResponse } from './contract.ts'

export const part = { description: 'Of a parts shop.', price: 40, minimum_order_quantity: 1, available_quantity: 100 }
export const givenProducts = [
  {
    ...part,
    sku: 'A-1',
    name: 'Noctua NH-D15 dual tower',
    brand: 'Noctua',
    mpn: 'NH-D15',
    category: 'cpu-cooler',
    specs: { height_mm: 165 },
  },
  {
    ...part,
    sku: 'A-2',
    name: 'MSI GeForce RTX 4070 Ventus',
    brand: 'MSI',
    mpn: 'V513-043R',
    category: 'video-card',
    specs: { vram_gb: 12 },
  },
  {
    ...part,
    sku: 'A-3',
    name: 'Corsair RM750x',
    brand: 'Corsair',
    mpn: 'CP-9020285-NA',
    category: 'power-supply',
    specs: { wattage_w: 750 },
    price: 90,
  },
  {
    ...part,
    sku: 'A-4',
    name: 'Corsair RM1000x',
    brand: 'Corsair',
    mpn: 'CP-9020286-NA',
    category: 'power-supply',
    specs: { wattage_w: 1000 },
    available_quantity: 0,
  },
  { ...part, sku: 'A-5', name: 'Corsair CX', brand: 'Corsair', mpn: null, category: 'power-supply', specs: {} },
]

export async function aStoreWithProducts() {
  const store = await anEmptyStore()
  await catalogue.addProducts(store.db, givenProducts)
  await store.search.catchUp()
  return store
}

export const find = async (store: Store, question: string) =>
  SearchResponse.parse((await store.visitor.request('GET', `/search?${question}`)).json())
export const names = async (store: Store, question: string) => (await find(store, question)).tools.map(({ name }) => name)
