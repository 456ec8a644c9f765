import notices from '#content/notices.json' with { type: 'json' }

/**
 * What has to be said on a page that shows these parts, because of where their data comes from: the owner's `content/notices.json`.
 * Asked in loaders, so that a page carries only what applies to it.
 */
export const noticesOn = (parts: { sku: string }[]): string[] =>
  notices.filter(({ skuBegins }) => parts.some(({ sku }) => sku.startsWith(skuBegins))).map(({ text }) => text)
