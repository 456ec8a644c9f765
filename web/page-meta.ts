/**
 * Title and metadata of a public page for the browser tab, search engines and link previews.
 * @param origin the store's origin from the root loader; without it there is no preview image, which requires an absolute URL
 */
export const pageMeta = (title: string, description: string, origin: string | undefined) => [
  { title },
  { name: 'description', content: description },
  { property: 'og:type', content: 'website' },
  { property: 'og:site_name', content: 'Nucleus of PC' },
  { property: 'og:title', content: title },
  { property: 'og:description', content: description },
  ...socialImageMeta(origin),
]

/** The default image for link previews. A PNG, because sites that display previews do not accept SVG. */
export const socialImageMeta = (origin: string | undefined) =>
  origin === undefined
    ? []
    : [
        { property: 'og:image', content: new URL('/social.png', origin).href },
        { property: 'og:image:width', content: '1200' },
        { property: 'og:image:height', content: '630' },
        { property: 'og:image:alt', content: 'Nucleus of PC: computer parts and tools in quantities' },
        { name: 'twitter:card', content: 'summary_large_image' },
      ]
