/**
 * What a public page says about itself in its head: to the browser's tab, to search engines, and to whoever it is sent to as a link.
 * @param origin the store's own address, as the root's loader has it; without it there is no picture, which has to be a whole address
 */
export const pageMeta = (title: string, description: string, origin: string | undefined) => [
  { title },
  { name: 'description', content: description },
  { property: 'og:type', content: 'website' },
  { property: 'og:site_name', content: 'Nucleus of PC' },
  { property: 'og:title', content: title },
  { property: 'og:description', content: description },
  ...socialPicture(origin),
]

/** The picture beside a link to a page that has none of its own. Sites that show links take no SVG. */
export const socialPicture = (origin: string | undefined) =>
  origin === undefined
    ? []
    : [
        { property: 'og:image', content: new URL('/social.png', origin).href },
        { property: 'og:image:width', content: '1200' },
        { property: 'og:image:height', content: '630' },
        { property: 'og:image:alt', content: 'Nucleus of PC: computer parts and tools in quantities' },
        { name: 'twitter:card', content: 'summary_large_image' },
      ]
