import { useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { type Part, removeTool, searchTools, stockLevel } from '#store/catalogue/contract.ts'
import { SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { Empty } from '#web/empty.tsx'
import { Kinds } from '#web/kinds.tsx'
import { pagesOf, readView } from '#web/listing.ts'
import { Dollars, GroupedDigits } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Paging } from '#web/paging.tsx'
import { Question } from '#web/question.tsx'
import { buttonInNextRow, Cell, Row } from '#web/row.tsx'
import { Search } from '#web/search.tsx'
import { send } from '#web/send.ts'
import { Status } from '#web/status.tsx'
import { Table } from '#web/table.tsx'
import { toast } from '#web/toast.tsx'
import { onOtherAddresses, useAnsweredListing } from '#web/use-listing.ts'
import type { Route } from './+types/manage-products'
import { shortDescription } from './short-description.ts'
import { levelNamed, levelWords, stockLevels } from './stock-levels.ts'
import { ToolPicture } from './tool-picture.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Manage Products | Nucleus of PC' }]

export const clientLoader = ({ request }: Route.ClientLoaderArgs) => pageAt(new URL(request.url))

async function pageAt({ searchParams }: URL) {
  const view = readView(searchParams)
  const level = levelNamed(view.kind)
  const count = (stock?: 'out' | 'low') =>
    send(searchTools, { querystring: { q: view.q, ...(stock && { stock }), limit: '1', facets: 'no' } }).then(({ total }) => total)
  const page = (page: number) =>
    send(searchTools, {
      querystring: {
        q: view.q,
        ...(level && { stock: level }),
        ...(sortable.includes(view.sort.replace(/^-/, '')) && { sort: view.sort }),
        limit: `${view.rows}`,
        cursor: `${(page - 1) * view.rows}`,
        facets: 'no',
      },
    })
  const [asked, all, out, low] = await Promise.all([page(view.page), count(), count('out'), count('low')])
  const counts = { all, out, low }
  if (asked.tools.length > 0 || asked.total === 0) return { ...asked, counts }
  return { ...(await page(pagesOf(asked.total, view.rows))), counts } // a page beyond the last is the last
}

export const shouldRevalidate = onOtherAddresses

const sortable = ['name', 'price', 'minimum', 'available']
const deletedWords = 'One product delete from your inventory'

export default function ManageProducts({ loaderData }: Route.ComponentProps) {
  const [later, setLater] = useState({ loaderData, page: loaderData })
  const { total, tools, counts } = later.loaderData === loaderData ? later.page : loaderData
  const [asked, ask] = useState<{ tool: Part; button: HTMLElement; open: boolean }>()
  const [deleted, setDeleted] = useState<Part>()
  const table = useRef<HTMLDivElement>(null)
  const goOnAt = useRef<HTMLElement>(null)
  const [gone, setGone] = useState<string[]>([]) // not shown any more, also until the store has answered without them
  const rows = tools.filter(({ _id }) => !gone.includes(_id))
  const listing = useAnsweredListing(total - tools.length + rows.length)

  function askAbout(tool: Part, button: HTMLElement) {
    setDeleted(undefined)
    goOnAt.current = button
    ask({ tool, button, open: true })
  }

  async function remove({ tool, button }: { tool: Part; button: HTMLElement }) {
    await send(removeTool, { params: { id: tool._id } })
    goOnAt.current = buttonInNextRow(button) ?? table.current
    setDeleted(tool)
    setGone([...gone, tool._id])
    ask({ tool, button, open: false })
    toast(deletedWords, { detail: tool.name })
    pageAt(new URL(window.location.href)).then(
      (page) => setLater({ loaderData, page }), // the next one moves up
      () => {},
    )
  }

  const level = levelNamed(listing.view.kind)

  if (listing.total === 0 && listing.view.q === '' && !level)
    return (
      <Page title="Manage Products" wide>
        {deleted && <Deleted tool={deleted} />}
        <Empty
          scene="no-products"
          title="No products yet"
          actions={
            <>
              <ButtonLink to="/dashboard/addatool">Add a New Product</ButtonLink>
              <ButtonLink look="quiet" to="/dashboard/import">
                Import a file
              </ButtonLink>
            </>
          }
        >
          What you add stands here and is for sale at once.
        </Empty>
      </Page>
    )

  return (
    <Page title="Manage Products" wide>
      {deleted && <Deleted tool={deleted} />}
      <Search listing={listing} label="Search names, part numbers, SKUs and descriptions" things={['product', 'products']} />
      <div className="flex flex-col gap-2">
        <Kinds
          listing={listing}
          label="Products by stock"
          kinds={[
            { kind: stockLevels.out, count: counts.out },
            { kind: stockLevels.low, count: counts.low },
          ]}
          all={counts.all}
        />
        {level && (
          <p className="text-soft">
            {stockLevels[level]}: {levelWords[level]}.
          </p>
        )}
      </div>
      {level && listing.total === 0 && (
        <Notice
          kind="success"
          title={`No product is ${stockLevels[level].toLowerCase()}`}
          action={
            <ButtonLink look="quiet" to={{ search: '' }}>
              Show all products
            </ButtonLink>
          }
        />
      )}
      {rows.length > 0 && (
        <Table
          ref={table}
          caption="All Tools We have on Stock"
          head={[
            { label: 'Name', sortBy: 'name' },
            { label: 'Image' },
            { label: 'Description' },
            { label: 'Price', figures: true, sortBy: 'price' },
            { label: 'Minimum Order Quantity', figures: true, sortBy: 'minimum' },
            { label: 'Available Quantity', figures: true, sortBy: 'available' },
            { label: 'Edit' },
            { label: 'Delete' },
          ]}
          sorting={{ by: listing.view.sort, onSort: (sort) => listing.look({ sort }) }}
        >
          {rows.map((tool) => (
            <ToolRow key={tool._id} tool={tool} onDelete={(button) => askAbout(tool, button)} />
          ))}
        </Table>
      )}
      <Paging listing={listing} table={table} />
      {asked && (
        <Question
          open={asked.open}
          title="Are you sure to Delete this product?"
          act={`Delete ${asked.tool.name}`}
          keep="Keep it"
          busyWords="Deleting"
          onAct={() => remove(asked)}
          onKeep={() => ask({ ...asked, open: false })}
          ended={<SignInEnded />}
          focusAfter={() => goOnAt.current}
        >
          <p className="font-semibold">{asked.tool.name}</p>
          <Maker tool={asked.tool} />
          <p>Nobody can order it any more. Open orders keep it, with its name and price.</p>
          <p>
            To sell it again, import a file with its SKU, <span className="figures wrap-anywhere">{asked.tool.sku}</span>.
          </p>
        </Question>
      )}
    </Page>
  )
}

function ToolRow({ tool, onDelete }: { tool: Part; onDelete: (button: HTMLElement) => void }) {
  const { search } = useLocation()
  const level = stockLevel(tool)
  return (
    <Row>
      <Cell label="Name" head className="@3xl:min-w-44">
        <Link to={`/purchase/${tool._id}`} className="underline underline-offset-2 hover:text-leaf">
          {tool.name}
        </Link>
        <Maker tool={tool} />
      </Cell>
      <Cell label="Image" className="@max-3xl:items-center">
        <ToolPicture tool={tool} className="h-12 w-18" />
      </Cell>
      <Cell label="Description" className="@3xl:min-w-44">
        <Description text={tool.description} />
      </Cell>
      <Cell label="Price" figures>
        <Dollars amount={tool.price} />
      </Cell>
      <Cell label="Minimum Order Quantity" figures>
        <GroupedDigits number={tool.minimum_order_quantity} />
      </Cell>
      <Cell label="Available Quantity" figures>
        <GroupedDigits number={tool.available_quantity} />
        {level !== 'enough' && (
          <span className="block font-sans">
            <Status kind={level === 'out' ? 'bad' : 'neutral'}>{stockLevels[level]}</Status>
          </span>
        )}
      </Cell>
      <Cell label="Edit">
        <ButtonLink dense look="quiet" to={`/instrument/${tool._id}`} state={{ list: search }} aria-label={`Edit, ${tool.name}`}>
          Edit
        </ButtonLink>
      </Cell>
      <Cell label="Delete">
        <Button dense look="quiet" aria-label={`Delete, ${tool.name}`} onClick={({ currentTarget }) => onDelete(currentTarget)}>
          Delete
        </Button>
      </Cell>
    </Row>
  )
}

/** Names are not unique: who made it, under which number. */
function Maker({ tool: { brand, mpn } }: { tool: Part }) {
  if (!brand && !mpn) return null
  return (
    <p className="text-sm font-normal text-soft">
      {brand} {mpn && <span className="figures">{mpn}</span>}
    </p>
  )
}

/** The beginning; where there is more, it opens in the row. */
function Description({ text }: { text: string }) {
  const short = shortDescription(text)
  if (short === text) return text
  return (
    <details>
      <summary className="min-h-6 cursor-pointer">{short}</summary>
      <p className="mt-1 text-soft">{text}</p>
    </details>
  )
}

function Deleted({ tool }: { tool: Part }) {
  return (
    <Notice kind="success" title={deletedWords}>
      {tool.name}
    </Notice>
  )
}
