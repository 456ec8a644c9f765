/** What an address of /allproducts can say. Everything else in it, such as what a newsletter adds to its links, means nothing. */
const namesOfList = /^(q|category|brand|in_stock|pieces|price\.(min|max)|sort|look|page|spec\.\w{1,60}(\.(min|max))?)$/

/** The same question in its one spelling, so that it is rendered and kept once: what means something, sorted by its names. */
export function listQuestion(search: URLSearchParams): URLSearchParams {
  const said = new URLSearchParams([...search].filter(([name, value]) => namesOfList.test(name) && value.trim() !== ''))
  said.sort()
  return said
}
