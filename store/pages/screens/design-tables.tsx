import { useRef } from 'react'
import { FilterLinks } from '#web/filter-links.tsx'
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

const levelLabels = { enough: 'In stock', low: 'Low' }
const levelOf = ({ stock }: SampleProduct) => (stock > 10 ? 'enough' : 'low')
const accessors = {
  text: ({ name }: SampleProduct) => name,
  filters: { stock: { choices: Object.keys(levelLabels), valuesOf: levelOf } },
  sortKeys: {
    name: ({ name }: SampleProduct) => name,
    price: ({ price }: SampleProduct) => price,
    stock: ({ stock }: SampleProduct) => stock,
  },
}

export function TableSamples() {
  const table = useRef<HTMLDivElement>(null)
  const listing = usePaginatedList(sampleProducts, accessors)
  const levels = Object.entries(levelLabels).map(([value, label]) => {
    const count = sampleProducts.filter((part) => levelOf(part) === value).length
    return { value, label, count }
  })
  return (
    <>
      <ListSearch listing={listing} label="Search parts" itemNouns={['part', 'parts']} />
      <FilterLinks listing={listing} name="stock" label="Parts by stock" choices={levels} />
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
              <StatusBadge kind={levelOf(part) === 'low' ? 'bad' : 'good'}>{levelLabels[levelOf(part)]}</StatusBadge>
            </Cell>
          </Row>
        ))}
      </Table>
      <Pagination listing={listing} table={table} />
    </>
  )
}
