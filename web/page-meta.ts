/** What a public page says about itself in its head: to the browser's tab, to search engines, and to whoever it is sent to as a link. */
export const pageMeta = (title: string, description: string) => [
  { title },
  { name: 'description', content: description },
  { property: 'og:type', content: 'website' },
  { property: 'og:site_name', content: 'Nucleus of PC' },
  { property: 'og:title', content: title },
  { property: 'og:description', content: description },
]
