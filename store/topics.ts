/**
 * What can change for everybody. `products` is announced after the commit of a change of products or their stock; each process then reads
 * the change log into its search index and announces to itself what pages have to be rendered again: `product:<id>`, `search-results`, and
 * `listings` where anything other than price, minimum order quantity and stock has changed. `sale-terms` is what prices contain and what is
 * charged besides, which every page says. `reviews` are those of the shop, `reviews:<id>` those of a product. `definitions` are those of the catalogue; a process that has read them announces `*` to itself.
 */
export type Topic =
  | ('products' | 'search-results' | 'listings' | 'reviews' | 'sale-terms' | 'definitions')
  | (`product:${string}` | `reviews:${string}`)

/** The response header of a page that may be cached until one of these topics is announced, or the terms of sale, which all pages show. */
export const cacheUntilChanged = (...topics: Topic[]) => ({ 'x-cache-tags': ['sale-terms', ...topics].join(' ') })
