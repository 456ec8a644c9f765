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
import { TextLink } from '#web/text-link.tsx'
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
          What customers write of the shop and of products stands here.
        </EmptyState>
      </Page>
    )
  return (
    <Page
      title="Reviews"
      lead="Newest first. A hidden review is read by nobody but its author and admins. One that is not shown stays off all pages and out of the average: its author has neither a verified e-mail nor a paid order, has cancelled the order of the product before it was sent, or the account was removed."
      wide
    >
      {done && (
        <Notice kind="success" title={visibilityMessage(done)}>
          {whereItStands(done)}
        </Notice>
      )}
      <Table
        ref={table}
        caption="What customers say"
        columns={[
          { label: 'Name' },
          { label: 'About' },
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

function whereItStands({ name, hidden, shown, product }: AdminReview): string {
  const page = product ? `the page of ${product.name}` : 'the home page'
  if (hidden) return `The review of ${name} is no longer on ${page}. Its author is told at ${product ? 'the form' : 'Add A Review'}.`
  if (shown) return `The review of ${name} is on ${page} again.`
  return product
    ? `The review of ${name} is not on ${page}: its order was cancelled, or the account was removed.`
    : `The review of ${name} stands on ${page} once its author has a verified e-mail or a paid order.`
}

type ReviewRowProps = { review: AdminReview; onAsk: () => void; onChanged: (review: AdminReview) => void }

function ReviewRow({ review, onAsk, onChanged }: ReviewRowProps) {
  const { name, about, rating, postedAt, hidden, example, bought, product } = review
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
        {bought && <span className="block font-normal text-soft">Has bought {product ? 'it ' : ''}here</span>}
      </Cell>
      <Cell label="About" className="@3xl:min-w-32">
        <ReviewedThing product={product} />
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
        <SeenBy review={review} />
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

function SeenBy({ review: { hidden, shown, product } }: { review: AdminReview }) {
  if (hidden) return <StatusBadge kind="bad">Hidden</StatusBadge>
  if (shown) return <StatusBadge kind="good">Everybody</StatusBadge>
  return <StatusBadge kind="neutral">{product ? 'Not shown' : 'Not yet shown'}</StatusBadge>
}

function ReviewedThing({ product }: Pick<AdminReview, 'product'>) {
  if (!product) return 'The shop'
  if (product.removed) return `${product.name}, removed`
  return <TextLink to={`/products/${product._id}`}>{product.name}</TextLink>
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
