import { useRef } from 'react'
import { KindFilterLinks } from '#web/kind-filter-links.tsx'
import { ListSearch } from '#web/list-search.tsx'
import { Amount } from '#web/money.tsx'
import { Pagination } from '#web/pagination.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { usePaginatedList } from '#web/use-paginated-list.ts'

/* Samples of the component gallery (design.tsx): a table with search, filter, sorting and pages. */

type SampleProduct = { name: string; price: number; stock: number }
const sampleProducts: SampleProduct[] = Array.from({ length: 43 }, (_, place) => ({
  name: `Precision screwdriver ${place + 1}`,
  price: 7 + place,
  stock: (place * 37) % 90,
}))

export function Tables() {
  const table = useRef<HTMLDivElement>(null)
  const kindOf = ({ stock }: SampleProduct) => (stock > 10 ? 'In stock' : 'Low')
  const listing = usePaginatedList(sampleProducts, {
    text: ({ name }) => name,
    kind: kindOf,
    sortKeys: { name: ({ name }) => name, price: ({ price }) => price, stock: ({ stock }) => stock },
  })
  const kinds = ['In stock', 'Low'].map((kind) => ({ kind, count: sampleProducts.filter((part) => kindOf(part) === kind).length }))
  return (
    <>
      <ListSearch listing={listing} label="Search parts" itemNouns={['part', 'parts']} />
      <KindFilterLinks listing={listing} label="Parts by stock" kinds={kinds} />
      <Table
        ref={table}
        caption="Parts"
        columns={[
          { label: 'Name', sortBy: 'name' },
          { label: 'Price', isNumeric: true, sortBy: 'price' },
          { label: 'Stock', isNumeric: true, sortBy: 'stock' },
          { label: 'State' },
        ]}
        sorting={{ by: listing.query.sort, onSort: (sort) => listing.updateQuery({ sort }) }}
      >
        {listing.rows.map((part) => (
          <Row key={part.name}>
            <Cell label="Name" isRowHeader>
              {part.name}
            </Cell>
            <Cell label="Price" isNumeric>
              <Amount value={part.price} />
            </Cell>
            <Cell label="Stock" isNumeric>
              {part.stock}
            </Cell>
            <Cell label="State">
              <StatusBadge kind={kindOf(part) === 'Low' ? 'bad' : 'good'}>{kindOf(part)}</StatusBadge>
            </Cell>
          </Row>
        ))}
      </Table>
      <Pagination listing={listing} table={table} />
    </>
  )
}
