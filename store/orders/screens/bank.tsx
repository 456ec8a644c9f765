import { useRevalidator, useSearchParams } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { entryLists, listBankEntries } from '#store/orders/bank/contract.ts'
import { formatIban } from '#store/orders/payment-methods/iban.ts'
import { ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { EmptyState } from '#web/empty-state.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/bank'
import { BankEntryItem } from './bank-entry-item.tsx'
import { RefundsToTransfer } from './refunds-to-transfer.tsx'
import { StatementUpload } from './statement-upload.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Bank | Nucleus of PC' }]

type List = (typeof entryLists)[number]
const listOf = (search: URLSearchParams): List => entryLists.find((list) => list === search.get('list')) ?? 'waiting'
const pageOf = (search: URLSearchParams): number => Math.min(100_000, Math.max(1, Math.trunc(Number(search.get('page'))) || 1))

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url)
  return callApi(listBankEntries, { querystring: { list: listOf(searchParams), page: pageOf(searchParams) } })
}

export default function Bank({ loaderData: { entries, hasMore, counts, refunds, account, askedByOwner } }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const { revalidate } = useRevalidator()
  const [list, page] = [listOf(search), pageOf(search)]
  return (
    <Page
      title="Bank"
      wide
      lead={
        account
          ? `Money on ${formatIban(account.iban)}, and the orders that it is for.`
          : 'Money that comes by bank transfer, and the orders that it is for.'
      }
    >
      {account ? (
        <StatementUpload onDone={revalidate} />
      ) : (
        <Notice kind="info" title="No account yet">
          Say under <TextLink to="/dashboard/seller">Seller</TextLink> which account buyers transfer to. Its statements are imported here.
        </Notice>
      )}
      {refunds.length > 0 && <RefundsToTransfer refunds={refunds} count={counts.refunds} isOwner={askedByOwner} onDone={revalidate} />}
      <section aria-labelledby="entries" className="flex flex-col gap-4">
        <h2 id="entries" className="text-xl">
          Entries of the account
        </h2>
        <nav aria-label="Which entries" className="flex flex-wrap gap-2">
          <ListLink list="waiting" label="To be assigned" count={counts.waiting} current={list} />
          <ListLink list="booked" label="Booked" current={list} />
          <ListLink list="debits" label="Money that has left" current={list} />
        </nav>
        {entries.length === 0 ? (
          <EmptyState illustration="no-orders" title={emptyTexts[list].title}>
            {emptyTexts[list].text}
          </EmptyState>
        ) : (
          <ul className="flex flex-col gap-4">
            {entries.map((entry) => (
              <BankEntryItem key={`${entry._id} ${entry.leftCents}`} entry={entry} isOwner={askedByOwner} onDone={revalidate} />
            ))}
          </ul>
        )}
        {(page > 1 || hasMore) && (
          <nav aria-label="Pages of entries" className="flex flex-wrap gap-3">
            {page > 1 && (
              <ButtonLink dense variant="quiet" prefetch="none" to={{ search: `?list=${list}&page=${page - 1}` }}>
                Newer entries
              </ButtonLink>
            )}
            {hasMore && (
              <ButtonLink dense variant="quiet" prefetch="none" to={{ search: `?list=${list}&page=${page + 1}` }}>
                Older entries
              </ButtonLink>
            )}
          </nav>
        )}
      </section>
    </Page>
  )
}

const emptyTexts: Record<List, { title: string; text: string }> = {
  waiting: {
    title: 'Nothing is to be assigned',
    text: 'What names an order and has its amount is booked by itself. All else stands here, until you say what it is for.',
  },
  booked: { title: 'Nothing is booked yet', text: 'Money that orders were paid with stands here, with the orders.' },
  debits: { title: 'Nothing has left the account', text: 'Debits of imported statements stand here. They are booked to refunds alone.' },
}

type ListLinkProps = { list: List; label: string; count?: number; current: List }

const ListLink = ({ list, label, count, current }: ListLinkProps) => (
  <ButtonLink
    dense
    variant="quiet"
    prefetch="none"
    to={{ search: list === 'waiting' ? '' : `?list=${list}` }}
    aria-current={list === current || undefined}
  >
    {label} {count !== undefined && <span className="figures font-normal">{formatNumber(count)}</span>}
  </ButtonLink>
)
