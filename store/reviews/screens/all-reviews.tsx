import { useRef, useState } from 'react'
import { type AdminReview, hideReview, listReviewsForAdmin } from '#store/reviews/contract.ts'
import { roundRating } from '#store/reviews/round-rating.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { EmptyState } from '#web/empty-state.tsx'
import { Icon } from '#web/icon.tsx'
import { pageCount, parseListQuery } from '#web/list-query.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Pagination } from '#web/pagination.tsx'
import { revalidateOnUrlChange } from '#web/should-revalidate.ts'
import { StatusBadge } from '#web/status-badge.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { toast } from '#web/toast.tsx'
import { useServerPaginatedList } from '#web/use-paginated-list.ts'
import { useSubmit } from '#web/use-submit.ts'
import type { Route } from './+types/all-reviews'

export const meta: Route.MetaFunction = () => [{ title: 'Reviews | Nucleus of PC' }]

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const view = parseListQuery(new URL(request.url).searchParams)
  const page = (page: number) => callApi(listReviewsForAdmin, { querystring: { limit: view.limit, cursor: (page - 1) * view.limit } })
  const result = await page(view.page)
  if (result.reviews.length > 0 || result.total === 0) return result
  return page(pageCount(result.total, view.limit)) // a page number beyond the last page loads the last page
}

export const shouldRevalidate = revalidateOnUrlChange

export default function AllReviews({ loaderData: { reviews: loaded, total } }: Route.ComponentProps) {
  const [changed, setChanged] = useState<AdminReview[]>([])
  const [done, setDone] = useState<AdminReview>()
  const table = useRef<HTMLDivElement>(null)
  const listing = useServerPaginatedList(total)
  const reviews = loaded.map((review) => changed.find(({ _id }) => _id === review._id) ?? review)

  function handleChange(review: AdminReview) {
    setChanged([review, ...changed])
    setDone(review)
    toast(visibilityMessage(review), { detail: review.name })
  }

  if (total === 0)
    return (
      <Page title="Reviews" wide>
        <EmptyState illustration="no-reviews" title="Nobody has written a review yet">
          What customers write stands here, and on the home page once their e-mail is verified or an order is paid.
        </EmptyState>
      </Page>
    )
  return (
    <Page
      title="Reviews"
      lead="Newest first. A hidden review is read by nobody but its author and admins. One that is not yet shown stays off the home page and out of the average: its author has neither a verified e-mail nor a paid order, or the account was removed."
      wide
    >
      {done && (
        <Notice kind="success" title={visibilityMessage(done)}>
          {done.hidden
            ? `The review of ${done.name} is no longer on the home page. Its author is told at Add A Review.`
            : done.shown
              ? `The review of ${done.name} is on the home page again.`
              : `The review of ${done.name} stands on the home page once its author has a verified e-mail or a paid order.`}
        </Notice>
      )}
      <Table
        ref={table}
        caption="What customers say"
        columns={[
          { label: 'Name' },
          { label: 'Words' },
          { label: 'Rating', isNumeric: true },
          { label: 'Posted' },
          { label: 'Seen by' },
          { label: 'Hide' },
        ]}
      >
        {reviews.map((review) => (
          <ReviewRow key={review._id} review={review} onAsk={() => setDone(undefined)} onChanged={handleChange} />
        ))}
      </Table>
      <Pagination listing={listing} table={table} />
    </Page>
  )
}

const visibilityMessage = ({ hidden }: AdminReview) => (hidden ? 'Review hidden' : 'Review brought back')

type ReviewRowProps = { review: AdminReview; onAsk: () => void; onChanged: (review: AdminReview) => void }

function ReviewRow({ review, onAsk, onChanged }: ReviewRowProps) {
  const { name, about, rating, postedAt, hidden, shown, example, bought } = review
  const act = hidden ? 'Bring back' : 'Hide'
  const { submit, busy, refusal } = useSubmit({
    send() {
      onAsk()
      return callApi(hideReview, { params: { id: review._id }, body: { hidden: !hidden } })
    },
    onDone: onChanged,
  })
  return (
    <Row>
      <Cell label="Name" isRowHeader className="@3xl:min-w-32">
        {name}
        {example && <span className="block font-normal text-soft">Example</span>}
        {bought && <span className="block font-normal text-soft">Has bought here</span>}
      </Cell>
      <Cell label="Words" className="@3xl:min-w-56">
        <ReviewText text={about} />
      </Cell>
      <Cell label="Rating" isNumeric>
        {roundRating(rating)}
      </Cell>
      <Cell label="Posted" className="@3xl:min-w-28">
        <DateTime at={postedAt} />
      </Cell>
      <Cell label="Seen by">
        {hidden ? (
          <StatusBadge kind="bad">Hidden</StatusBadge>
        ) : shown ? (
          <StatusBadge kind="good">Everybody</StatusBadge>
        ) : (
          <StatusBadge kind="neutral">Not yet shown</StatusBadge>
        )}
      </Cell>
      <Cell label="Hide">
        <Button
          dense
          variant="quiet"
          busy={busy}
          busyLabel={hidden ? 'Bringing back' : 'Hiding'}
          aria-label={`${act}, the review of ${name}`}
          onClick={() => submit()}
        >
          {act}
        </Button>
        {refusal && (
          <span role="alert" className="mt-1 flex items-start gap-1 text-left font-medium text-bad">
            <Icon name="error" />
            <span>
              <span className="block">{refusal.message}</span>
              <span className="block font-normal text-ink">Reload the page to see how it stands, then press again if needed.</span>
            </span>
          </span>
        )}
      </Cell>
    </Row>
  )
}

const maxRowCharacters = 200

/** Truncates a long text, expandable in the row. */
function ReviewText({ text }: { text: string }) {
  if (text.length <= maxRowCharacters) return <span className="whitespace-pre-line">{text}</span>
  return (
    <details>
      <summary className="min-h-6 cursor-pointer">{text.slice(0, maxRowCharacters).trimEnd()}...</summary>
      <p className="mt-1 whitespace-pre-line text-soft">{text}</p>
    </details>
  )
}
