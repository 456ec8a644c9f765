import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import { formatDay } from '#shared/format-day.ts'
import { formatNumber } from '#shared/format-number.ts'
import { formatItem } from '#store/orders/order-contract.ts'
import { listReturns, type ReturnList, type ReturnsPage, returnLists } from '#store/orders/returns/admin-contract.ts'
import type { Return } from '#store/orders/returns/contract.ts'
import { formatReturnNumber } from '#store/orders/returns/return-reasons.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { Field } from '#web/field.tsx'
import { GetForm } from '#web/get-form.tsx'
import { Page } from '#web/page.tsx'
import { KeyPagination } from '#web/pagination.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/returns'
import { ReturnDetail } from './return-detail.tsx'
import { returnState } from './return-labels.ts'

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData?.shown ? `Return ${formatReturnNumber(loaderData.shown.number)}` : 'Returns'} | Nucleus of PC` },
]

/** The page of a list or, where `q` in the address names one return, that return. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url)
  const [q, cursor] = [searchParams.get('q')?.trim(), searchParams.get('cursor')]
  const list = readList(searchParams.get('list'))
  const page = await callApi(listReturns, { querystring: { list, ...(q && { q: q.slice(0, 100) }), ...(cursor && { cursor }) } })
  const [found, ...others] = page.returns
  return { page, shown: q && others.length === 0 ? found : undefined }
}

const readList = (typed: string | null): ReturnList => returnLists.find((list) => list === typed) ?? 'open'

export default function Returns({ loaderData: { page, shown } }: Route.ComponentProps) {
  return shown ? <ReturnDetail key={shown._id} asked={shown} /> : <ReturnLists page={page} />
}

export const returnUrl = (number: number): string => `/dashboard/returns?q=${formatReturnNumber(number)}`

function ReturnLists({ page: { returns, next, counts } }: { page: ReturnsPage }) {
  const [search] = useSearchParams()
  const table = useRef<HTMLDivElement>(null)
  const list = readList(search.get('list'))
  const q = search.get('q') ?? ''
  return (
    <Page title="Returns" wide>
      <nav aria-label="Which returns" className="flex flex-wrap gap-2">
        <ListLink label="Open" count={counts.open} search="" isCurrent={!q && list === 'open'} />
        <ListLink label="To be sent again" count={counts.toResend} search="?list=to resend" isCurrent={!q && list === 'to resend'} />
        <ListLink label="All" search="?list=all" isCurrent={!q && list === 'all'} />
      </nav>
      <GetForm role="search" className="flex max-w-form flex-col gap-2">
        <Field
          type="search"
          name="q"
          label="Find a return"
          hint="Its number, such as R1001, or that of its order, such as #1001"
          autoComplete="off"
          defaultValue={q}
          key={q}
        >
          <Button type="submit" variant="quiet" className="shrink-0">
            Find
          </Button>
        </Field>
      </GetForm>
      {returns.length === 0 ? (
        <EmptyState illustration={q ? 'nothing-found' : 'no-orders'} title={q ? `There is no return ${q}` : emptyTitles[list]}>
          {q
            ? 'The number stands on the parcel, with an R before it.'
            : 'Returns stand here as soon as a buyer asks for one, the oldest first.'}
        </EmptyState>
      ) : (
        <Table
          ref={table}
          caption={list === 'all' ? 'Returns, newest first' : 'Returns, oldest first'}
          columns={[{ label: 'Return' }, { label: 'From' }, { label: 'What' }, { label: 'How it stands' }]}
        >
          {returns.map((asked) => (
            <ReturnRow key={asked._id} asked={asked} />
          ))}
        </Table>
      )}
      <KeyPagination
        label="Pages of returns"
        isFirstPage={!search.has('cursor')}
        names={['cursor']}
        next={next === null || q ? undefined : { cursor: next }}
        list={table}
      />
    </Page>
  )
}

const emptyTitles: Record<ReturnList, string> = {
  open: 'No return is open',
  'to resend': 'Nothing is to be sent again',
  all: 'Nobody has returned anything',
}

type ListLinkProps = { label: string; count?: number; search: string; isCurrent: boolean }

const ListLink = ({ label, count, search, isCurrent }: ListLinkProps) => (
  <ButtonLink dense variant="quiet" prefetch="none" to={{ search }} aria-current={isCurrent || undefined}>
    {label} {count !== undefined && <span className="figures font-normal">{formatNumber(count)}</span>}
  </ButtonLink>
)

function ReturnRow({ asked }: { asked: Return }) {
  const { number, orderId, orderNumber, buyerName, askedAt, moneyDueOn, lines } = asked
  const { kind, text } = returnState(asked)
  return (
    <Row className="@3xl:*:align-top">
      <Cell label="Return" isRowHeader className="@3xl:min-w-40">
        <TextLink to={returnUrl(number)}>Return {formatReturnNumber(number)}</TextLink>
        <span className="block font-normal text-soft">
          <DateTime at={askedAt} />
        </span>
        {moneyDueOn !== null && <StatusBadge kind="bad">Withdrawal</StatusBadge>}
      </Cell>
      <Cell label="From" className="@3xl:min-w-36">
        {buyerName}
        <span className="block">
          <TextLink to={`/dashboard/order/${orderId}`}>Order {orderNumber}</TextLink>
        </span>
      </Cell>
      <Cell label="What" className="@3xl:min-w-52">
        <ul aria-label={`Products of return ${formatReturnNumber(number)}`}>
          {lines.map((line) => (
            <li key={line._id}>{formatItem(line)}</li>
          ))}
        </ul>
      </Cell>
      <Cell label="How it stands" className="@3xl:min-w-44">
        <StatusBadge kind={kind}>{text}</StatusBadge>
        {moneyDueOn && <span className="block">money due by {formatDay(moneyDueOn)}</span>}
      </Cell>
    </Row>
  )
}
