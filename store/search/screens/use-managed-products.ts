import { useRef, useState } from 'react'
import { type Product, removeProduct, type StockLevel, stockLevels } from '#store/catalogue/contract.ts'
import { useRemovedProducts } from '#store/catalogue/screens/removed-products.tsx'
import { type ProductDetailsWithOrderFigures, withOrderFigures } from '#store/catalogue/screens/with-order-figures.ts'
import { searchProducts } from '#store/search/contract.ts'
import { callApi } from '#web/call-api.ts'
import { pageCount, parseListQuery } from '#web/list-query.ts'
import { focusTargetInNextRow } from '#web/table-row.tsx'
import { toast } from '#web/toast.tsx'
import { useServerPaginatedList } from '#web/use-paginated-list.ts'

const sortableColumns = ['name', 'price', 'minimum', 'available']
const deletedMessage = 'One product delete from your inventory'
const restoredMessage = 'Product brought back'

const filterChoices = { stock: stockLevels }

/** A page of the list that the address asks for, and how many products each filter shows. */
export async function loadManagedProducts({ searchParams }: URL) {
  const view = parseListQuery(searchParams, filterChoices)
  const level = stockLevels.find((known) => known === view.filters.stock)
  const count = (stock?: StockLevel) =>
    callApi(searchProducts, { querystring: { q: view.q, read: 'no', ...(stock && { stock }), limit: '1', facets: 'no' } }).then(
      ({ total }) => total,
    )
  const page = (page: number) =>
    callApi(searchProducts, {
      querystring: {
        q: view.q,
        read: 'no',
        ...(level && { stock: level }),
        ...(sortableColumns.includes(view.sort.replace(/^-/, '')) && { sort: view.sort }),
        limit: `${view.limit}`,
        cursor: `${(page - 1) * view.limit}`,
        facets: 'no',
      },
    }).then((found) => ({ ...found, tools: found.tools.map(withOrderFigures) }))
  const [asked, all, out, low] = await Promise.all([page(view.page), count(), count('out'), count('low')])
  const counts = { all, out, low }
  if (asked.tools.length > 0 || asked.total === 0) return { ...asked, counts }
  return { ...(await page(pageCount(asked.total, view.limit))), counts } // a page number beyond the last shows the last page
}

type ManagedProductsPage = Awaited<ReturnType<typeof loadManagedProducts>>

/** The list of products for an admin: its page, deleting and restoring, and what was done last. */
export function useManagedProducts(loaderData: ManagedProductsPage) {
  const [later, setLater] = useState({ loaderData, page: loaderData })
  const { total, tools, counts } = later.loaderData === loaderData ? later.page : loaderData
  const [asked, ask] = useState<{ tool: ProductDetailsWithOrderFigures; button: HTMLElement; open: boolean }>()
  const [done, setDone] = useState<{ words: string; product: Product }>()
  const { removed, failure, add: addRemoved, drop: dropRemoved } = useRemovedProducts()
  const table = useRef<HTMLDivElement>(null)
  const nextFocus = useRef<HTMLElement>(null)
  const [deletedIds, setDeletedIds] = useState<string[]>([]) // deleted products, hidden until the reloaded page arrives
  const rows = tools.filter(({ _id }) => !deletedIds.includes(_id))
  const listing = useServerPaginatedList(total - tools.length + rows.length, filterChoices)

  function askAbout(tool: ProductDetailsWithOrderFigures, button: HTMLElement) {
    setDone(undefined)
    nextFocus.current = button
    ask({ tool, button, open: true })
  }

  async function remove({ tool, button }: { tool: ProductDetailsWithOrderFigures; button: HTMLElement }) {
    await callApi(removeProduct, { params: { id: tool._id } })
    nextFocus.current = focusTargetInNextRow(button) ?? table.current
    setDeletedIds([...deletedIds, tool._id])
    addRemoved(tool)
    ask({ tool, button, open: false })
    announce(deletedMessage, tool)
    reloadPage() // fills the page with the next product
  }

  function showRestored(product: Product) {
    setDeletedIds(deletedIds.filter((id) => id !== product._id))
    dropRemoved(product._id)
    announce(restoredMessage, product)
    reloadPage()
  }

  function announce(words: string, product: Product) {
    setDone({ words, product })
    toast(words, { detail: product.name })
  }

  const reloadPage = () =>
    loadManagedProducts(new URL(window.location.href)).then(
      (page) => setLater({ loaderData, page }),
      () => {},
    )

  return {
    ...{ listing, rows, counts, table, done, removed, failure, showRestored },
    deletion: { asked, ask: askAbout, cancel: () => asked && ask({ ...asked, open: false }), remove, nextFocus },
  }
}
