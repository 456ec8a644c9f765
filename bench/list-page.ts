import path from 'node:path'
import { storeCurrency } from '#shared/currency.ts'
import { noFurtherCharges } from '#shared/sale-terms.ts'
import type { ShopConfig } from '#web/shop-config.ts'
import { type LoadResult, percentile, runLoad } from './load-generator.ts'
import { printLoadResult } from './print.ts'

/** As `reference-renderer.tsx` has it. Node cannot load the source itself: it is built with the pages. */
type CreateReferenceRenderer = (address: string, path: string, shopConfig: ShopConfig) => Promise<() => string>

const trees = 60
const runMs = 3000
const shopConfig: ShopConfig = {
  origin: '',
  currency: storeCurrency(),
  timeZone: 'UTC',
  saleTerms: noFurtherCharges,
  sinceYear: 2014,
  testMode: true,
  hasOutbox: true,
  hasGoogleSignIn: true,
}

/**
 * The list page for questions that nobody has asked before, beside React's `renderToString` of the same trees in a process that does nothing
 * else. One process, and as a browser asks: compressed.
 * @param queries what follows `?` in an address
 */
export async function benchmarkListPage(address: string, queries: string[]): Promise<void> {
  const built: { createReferenceRenderer: CreateReferenceRenderer } = await import(path.resolve('build/server/reference-renderer.js'))
  const withProducts: string[] = []
  for (const query of queries) {
    if (withProducts.length === trees) break
    const answer = await fetch(`${address}/api/search?${query}&limit=1`)
    if (((await answer.json()) as { total: number }).total >= 24) withProducts.push(`/allproducts?${query}`)
  }
  const renderers: (() => string)[] = []
  for (const page of withProducts) renderers.push(await built.createReferenceRenderer(address, page, shopConfig))
  let asked = 0
  const nextPath = () => {
    const page = withProducts[asked++ % withProducts.length] ?? ''
    return page.includes('price.max') ? `${page}&price.min=${-asked}` : `${page}&price.max=${1_000_000 + asked}`
  }
  renderRepeatedly(renderers) // warms up
  const reference = renderRepeatedly(renderers)
  const pages = await runLoad({ address, path: nextPath }, { connections: 2, headers: { 'accept-encoding': 'br' } })
  printLoadResult(`renderToString of ${renderers.length} trees of the list page`, reference)
  printLoadResult('list page, a question never asked before, rendered', pages, reference, 75)
}

function renderRepeatedly(renderers: (() => string)[]): LoadResult {
  const waits: number[] = []
  let characters = 0
  const start = performance.now()
  for (let now = start; now - start < runMs; ) {
    characters += renderers[waits.length % renderers.length]?.().length ?? 0
    const end = performance.now()
    waits.push(end - now)
    now = end
  }
  const perSecond = waits.length / ((performance.now() - start) / 1000)
  return {
    perSecond,
    p50: percentile(waits, 50),
    p99: percentile(waits, 99),
    kilobytes: characters / waits.length / 1000,
    failed: 0,
    serverTimings: new Map(),
  }
}
