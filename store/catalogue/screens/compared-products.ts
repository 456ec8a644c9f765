import { useSyncExternalStore } from 'react'
import { maxComparedProducts } from '#store/constants.ts'

/** A product selected for comparison. */
export type ComparedProduct = { id: string; name: string; category: string }

const storageKey = 'compared'
const noProducts: ComparedProduct[] = []
const listeners = new Set<() => void>()
let errorMessage: string | undefined
let cached: { text: string | null; products: ComparedProduct[] } = { text: null, products: noProducts }

/** Products selected in this tab, in order of selection; empty on the server and until hydration. */
export const useComparedProducts = (): ComparedProduct[] => useSyncExternalStore(subscribe, readProducts, () => noProducts)

/** Why the last product could not be added; undefined if it was. */
export const useCompareError = (): string | undefined =>
  useSyncExternalStore(
    subscribe,
    () => errorMessage,
    () => undefined,
  )

export const isCompared = (id: string): boolean => readProducts().some((product) => product.id === id)

/** Adds a product to the comparison or removes it. Sets the error message if the comparison is full or of another category. */
export function toggleCompared(product: ComparedProduct): void {
  const products = readProducts()
  if (isCompared(product.id)) removeFromComparison(product.id)
  else if (products.length >= maxComparedProducts)
    writeProducts(products, `${maxComparedProducts} parts are compared at most: untick one first.`)
  else if (products.some(({ category }) => category !== product.category))
    writeProducts(
      products,
      `${product.name} is of another category, and parts are compared within one. Clear the others to begin anew with it.`,
    )
  else writeProducts([...products, product])
}

export const removeFromComparison = (id: string): void => writeProducts(readProducts().filter((product) => product.id !== id))

export const clearCompared = (): void => writeProducts([])

/** URL of the comparison of these products. */
export const compareUrl = (ids: string[]): string => `/compare?${new URLSearchParams(ids.map((id) => ['id', id]))}`

function readProducts(): ComparedProduct[] {
  const store = storage()
  if (!store) return cached.products
  const text = store.getItem(storageKey)
  if (text !== cached.text) cached = { text, products: parseProducts(text) }
  return cached.products
}

function writeProducts(products: ComparedProduct[], error?: string) {
  errorMessage = error
  cached = { text: JSON.stringify(products), products }
  storage()?.setItem(storageKey, JSON.stringify(products))
  for (const notify of listeners) notify()
}

function subscribe(notify: () => void) {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/** Parses the stored text. Anything but a list of products is ignored. */
function parseProducts(text: string | null): ComparedProduct[] {
  try {
    const products: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(products) ? products.filter(isComparedProduct).slice(0, maxComparedProducts) : noProducts
  } catch {
    return noProducts
  }
}

const isComparedProduct = (part: unknown): part is ComparedProduct =>
  typeof part === 'object' &&
  part !== null &&
  'id' in part &&
  typeof part.id === 'string' &&
  'name' in part &&
  typeof part.name === 'string' &&
  'category' in part &&
  typeof part.category === 'string'

/** Undefined if the browser denies access. The selection then lasts until the page is left. */
function storage(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
