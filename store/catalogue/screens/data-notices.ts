import notices from '#content/notices.json' with { type: 'json' }

/**
 * Notices required by the data source of these products, from `content/notices.json`. Called in loaders, so that a page contains only the
 * notices that apply to it.
 */
export const findProductDataNotices = (parts: { sku: string }[]): string[] =>
  notices.filter(({ skuBegins }) => parts.some(({ sku }) => sku.startsWith(skuBegins))).map(({ text }) => text)
