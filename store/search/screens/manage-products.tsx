import type { Ref } from 'react'
import { useLocation } from 'react-router'
import { type Product, type StockLevel, stockLevel, stockLevels } from '#store/catalogue/contract.ts'
import { LowestPrice, PackSize } from '#store/catalogue/screens/order-terms-in-table.tsx'
import { ProductImage } from '#store/catalogue/screens/product-image.tsx'
import { RemovedProducts } from '#store/catalogue/screens/removed-products.tsx'
import { stockLevelDescriptions, stockLevelLabels } from '#store/catalogue/screens/stock-levels.ts'
import type { ProductDetailsWithOrderFigures } from '#store/catalogue/screens/with-order-figures.ts'
import { SessionEndedNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { FilterLinks } from '#web/filter-links.tsx'
import { Link } from '#web/link.tsx'
import { ListSearch } from '#web/list-search.tsx'
import { Amount, GroupedDigits } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Pagination } from '#web/pagination.tsx'
import { revalidateOnUrlChange } from '#web/should-revalidate.ts'
import { StatusBadge } from '#web/status-badge.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import type { PaginatedList } from '#web/use-paginated-list.ts'
import type { Route } from './+types/manage-products'
import { shortDescription } from './short-description.ts'
import { loadManagedProducts, useManagedProducts } from './use-managed-products.ts'

export const meta: Route.MetaFunction = () => [{ title: 'Manage Products | Nucleus of PC' }]

export const clientLoader = ({ request }: Route.ClientLoaderArgs) => loadManagedProducts(new URL(request.url))

export const shouldRevalidate = revalidateOnUrlChange

export default function ManageProducts({ loaderData }: Route.ComponentProps) {
  const { listing, rows, counts, done, removed, failure, showRestored, deletion, table } = useManagedProducts(loaderData)
  const removedProducts = <RemovedProducts products={removed} failure={failure} onRestored={showRestored} />

  const level = stockLevels.find((known) => known === listing.query.filters.stock)

  if (listing.total === 0 && listing.query.q === '' && !level)
    return (
      <Page title="Manage Products" wide>
        {done && <DoneNotice {...done} />}
        <NoProductsYet />
        {removedProducts}
      </Page>
    )

  return (
    <Page title="Manage Products" wide>
      {done && <DoneNotice {...done} />}
      <ListSearch listing={listing} label="Search names, part numbers, SKUs and descriptions" itemNouns={['product', 'products']} />
      <StockFilter listing={listing} counts={counts} level={level} />
      {level && listing.total === 0 && <NoneOnLevelNotice level={level} />}
      {rows.length > 0 && <ProductsTable rows={rows} listing={listing} ref={table} onDelete={deletion.ask} />}
      <Pagination listing={listing} table={table} />
      {removedProducts}
      {deletion.asked && <DeleteProductDialog {...deletion} asked={deletion.asked} />}
    </Page>
  )
}

function NoProductsYet() {
  return (
    <EmptyState
      illustration="no-products"
      title="No products yet"
      actions={
        <>
          <ButtonLink to="/dashboard/addatool">Add a New Product</ButtonLink>
          <ButtonLink variant="quiet" to="/dashboard/import">
            Import a file
          </ButtonLink>
        </>
      }
    >
      What you add stands here and is for sale at once.
    </EmptyState>
  )
}

type StockFilterProps = {
  listing: PaginatedList
  counts: Record<StockLevel | 'all', number>
  level: StockLevel | undefined
}

function StockFilter({ listing, counts, level }: StockFilterProps) {
  return (
    <div className="flex flex-col gap-2">
      <FilterLinks
        listing={listing}
        name="stock"
        label="Products by stock"
        choices={stockLevels.map((value) => ({ value, label: stockLevelLabels[value], count: counts[value] }))}
        totalCount={counts.all}
      />
      {level && (
        <p className="text-soft">
          {stockLevelLabels[level]}: {stockLevelDescriptions[level]}.
        </p>
      )}
    </div>
  )
}

function NoneOnLevelNotice({ level }: { level: StockLevel }) {
  return (
    <Notice
      kind="success"
      title={`No product is ${stockLevelLabels[level].toLowerCase()}`}
      action={
        <ButtonLink variant="quiet" to={{ search: '' }}>
          Show all products
        </ButtonLink>
      }
    />
  )
}

type ProductsTableProps = {
  rows: ProductDetailsWithOrderFigures[]
  listing: PaginatedList
  ref: Ref<HTMLDivElement>
  onDelete: (product: ProductDetailsWithOrderFigures, button: HTMLElement) => void
}

function ProductsTable({ rows, listing, ref, onDelete }: ProductsTableProps) {
  return (
    <Table
      ref={ref}
      caption="All Tools We have on Stock"
      columns={[
        { label: 'Name', sortBy: 'name' },
        { label: 'Image' },
        { label: 'Description' },
        { label: 'Price', isNumeric: true, sortBy: 'price' },
        { label: 'Minimum Order Quantity', isNumeric: true, sortBy: 'minimum' },
        { label: 'Available Quantity', isNumeric: true, sortBy: 'available' },
        { label: 'Edit' },
        { label: 'Delete' },
      ]}
      sorting={{ by: listing.query.sort, onSort: (sort) => listing.updateQuery({ sort }) }}
    >
      {rows.map((tool) => (
        <ProductRow key={tool._id} product={tool} onDelete={(button) => onDelete(tool, button)} />
      ))}
    </Table>
  )
}

type Deletion = ReturnType<typeof useManagedProducts>['deletion']
type DeleteProductDialogProps = Omit<Deletion, 'ask'> & { asked: NonNullable<Deletion['asked']> }

function DeleteProductDialog({ asked, remove, cancel, nextFocus }: DeleteProductDialogProps) {
  return (
    <ConfirmDialog
      open={asked.open}
      title="Are you sure to Delete this product?"
      confirmLabel={`Delete ${asked.tool.name}`}
      cancelLabel="Keep it"
      busyLabel="Deleting"
      onConfirm={() => remove(asked)}
      onCancel={cancel}
      signedOutMessage={<SessionEndedNotice />}
      focusAfterClose={() => nextFocus.current}
    >
      <p className="font-semibold">{asked.tool.name}</p>
      <BrandLine product={asked.tool} />
      <p>Nobody can order it any more. Open orders keep it, with its name and price.</p>
      <p>
        To sell it again, bring it back below the list, or import a file with its SKU,{' '}
        <span className="figures wrap-anywhere">{asked.tool.sku}</span>.
      </p>
    </ConfirmDialog>
  )
}

function ProductRow({ product, onDelete }: { product: ProductDetailsWithOrderFigures; onDelete: (button: HTMLElement) => void }) {
  const { search } = useLocation()
  const level = stockLevel(product)
  return (
    <Row>
      <Cell label="Name" isRowHeader className="@3xl:min-w-44">
        <Link to={`/purchase/${product._id}`} className="underline underline-offset-2 hover:text-leaf">
          {product.name}
        </Link>
        <BrandLine product={product} />
      </Cell>
      <Cell label="Image" className="@max-3xl:items-center">
        <ProductImage product={product} drawing="size=small" className="h-12 w-18" />
      </Cell>
      <Cell label="Description" className="@3xl:min-w-44">
        <ExpandableDescription text={product.description} />
      </Cell>
      <Cell label="Price" isNumeric>
        <Amount value={product.price} />
        <LowestPrice product={product} />
      </Cell>
      <Cell label="Minimum Order Quantity" isNumeric>
        <GroupedDigits number={product.minimum_order_quantity} />
        <PackSize product={product} />
      </Cell>
      <Cell label="Available Quantity" isNumeric>
        <GroupedDigits number={product.available_quantity} />
        {level !== 'enough' && (
          <span className="block font-sans">
            <StatusBadge kind={level === 'out' ? 'bad' : 'neutral'}>{stockLevelLabels[level]}</StatusBadge>
          </span>
        )}
      </Cell>
      <Cell label="Edit">
        <ButtonLink dense variant="quiet" to={`/instrument/${product._id}`} state={{ list: search }} aria-label={`Edit, ${product.name}`}>
          Edit
        </ButtonLink>
      </Cell>
      <Cell label="Delete">
        <Button dense variant="quiet" aria-label={`Delete, ${product.name}`} onClick={({ currentTarget }) => onDelete(currentTarget)}>
          Delete
        </Button>
      </Cell>
    </Row>
  )
}

/** Brand and part number, because names are not unique. */
function BrandLine({ product: { brand, mpn } }: { product: ProductDetailsWithOrderFigures }) {
  if (!brand && !mpn) return null
  return (
    <p className="text-sm font-normal text-soft">
      {brand} {mpn && <span className="figures">{mpn}</span>}
    </p>
  )
}

/** The short description; a longer text expands within the row. */
function ExpandableDescription({ text }: { text: string }) {
  const short = shortDescription(text)
  if (short === text) return text
  return (
    <details>
      <summary className="min-h-6 cursor-pointer">{short}</summary>
      <p className="mt-1 text-soft">{text}</p>
    </details>
  )
}

function DoneNotice({ words, product }: { words: string; product: Product }) {
  return (
    <Notice kind="success" title={words}>
      {product.name}
    </Notice>
  )
}
