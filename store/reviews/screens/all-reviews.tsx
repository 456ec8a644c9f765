import { useRef, useState } from 'react'
import { type AnyReview, hideReview, listAllReviews } from '#store/reviews/contract.ts'
import { shownRating } from '#store/reviews/shown-rating.ts'
import { Button } from '#web/button.tsx'
import { Empty } from '#web/empty.tsx'
import { Icon } from '#web/icon.tsx'
import { pagesOf, readView } from '#web/listing.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Paging } from '#web/paging.tsx'
import { Refusal } from '#web/refusal.ts'
import { Cell, Row } from '#web/row.tsx'
import { send } from '#web/send.ts'
import { Status } from '#web/status.tsx'
import { Table } from '#web/table.tsx'
import { toast } from '#web/toast.tsx'
import { onOtherAddresses, useAnsweredListing } from '#web/use-listing.ts'
import { When } from '#web/when.tsx'
import type { Route } from './+types/all-reviews'

export const meta: Route.MetaFunction = () => [{ title: 'Reviews | Nucleus of PC' }]

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const view = readView(new URL(request.url).searchParams)
  const page = (page: number) => send(listAllReviews, { querystring: { limit: view.rows, cursor: (page - 1) * view.rows } })
  const asked = await page(view.page)
  if (asked.reviews.length > 0 || asked.total === 0) return asked
  return page(pagesOf(asked.total, view.rows)) // a page beyond the last is the last
}

export const shouldRevalidate = onOtherAddresses

export default function AllReviews({ loaderData: { reviews: loaded, total } }: Route.ComponentProps) {
  const [changed, setChanged] = useState<AnyReview[]>([])
  const [done, setDone] = useState<AnyReview>()
  const table = useRef<HTMLDivElement>(null)
  const listing = useAnsweredListing(total)
  const reviews = loaded.map((review) => changed.find(({ _id }) => _id === review._id) ?? review)

  function show(review: AnyReview) {
    setChanged([review, ...changed])
    setDone(review)
    toast(doneWords(review), { detail: review.name })
  }

  if (total === 0)
    return (
      <Page title="Reviews" wide>
        <Empty scene="no-reviews" title="Nobody has written a review yet">
          What customers write stands here, and on the home page at once.
        </Empty>
      </Page>
    )
  return (
    <Page title="Reviews" lead="Newest first. A hidden review is read by nobody but its author and admins." wide>
      {done && (
        <Notice kind="success" title={doneWords(done)}>
          {done.hidden
            ? `The review of ${done.name} is no longer on the home page. Its author is told at Add A Review.`
            : `The review of ${done.name} is on the home page again.`}
        </Notice>
      )}
      <Table
        ref={table}
        caption="What customers say"
        head={[
          { label: 'Name' },
          { label: 'Words' },
          { label: 'Rating', figures: true },
          { label: 'Posted' },
          { label: 'Seen by' },
          { label: 'Hide' },
        ]}
      >
        {reviews.map((review) => (
          <ReviewRow key={review._id} review={review} onAsk={() => setDone(undefined)} onChanged={show} />
        ))}
      </Table>
      <Paging listing={listing} table={table} />
    </Page>
  )
}

const doneWords = ({ hidden }: AnyReview) => (hidden ? 'Review hidden' : 'Review brought back')

type ReviewRowProps = { review: AnyReview; onAsk: () => void; onChanged: (review: AnyReview) => void }

function ReviewRow({ review, onAsk, onChanged }: ReviewRowProps) {
  const { name, about, rating, postedAt, hidden, example, bought } = review
  const act = hidden ? 'Bring back' : 'Hide'
  const { busy, refusal, press } = useHiding(review, onAsk, onChanged)
  return (
    <Row>
      <Cell label="Name" head className="@3xl:min-w-32">
        {name}
        {example && <span className="block font-normal text-soft">Example</span>}
        {bought && <span className="block font-normal text-soft">Has bought here</span>}
      </Cell>
      <Cell label="Words" className="@3xl:min-w-56">
        <Words text={about} />
      </Cell>
      <Cell label="Rating" figures>
        {shownRating(rating)}
      </Cell>
      <Cell label="Posted" className="@3xl:min-w-28">
        <When at={postedAt} />
      </Cell>
      <Cell label="Seen by">{hidden ? <Status kind="bad">Hidden</Status> : <Status kind="good">Everybody</Status>}</Cell>
      <Cell label="Hide">
        <Button
          dense
          look="quiet"
          busy={busy}
          busyWords={hidden ? 'Bringing back' : 'Hiding'}
          aria-label={`${act}, the review of ${name}`}
          onClick={press}
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

function useHiding({ _id, hidden }: AnyReview, onAsk: () => void, onChanged: (review: AnyReview) => void) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  async function press() {
    setBusy(true)
    setRefusal(undefined)
    onAsk()
    try {
      onChanged(await send(hideReview, { params: { id: _id }, body: { hidden: !hidden } }))
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure
      toast(failure.message, { kind: 'error' })
      setRefusal(failure)
    } finally {
      setBusy(false)
    }
  }
  return { busy, refusal, press }
}

const mostInRow = 200

/** The beginning; where there is more, it opens in the row. */
function Words({ text }: { text: string }) {
  if (text.length <= mostInRow) return <span className="whitespace-pre-line">{text}</span>
  return (
    <details>
      <summary className="min-h-6 cursor-pointer">{text.slice(0, mostInRow).trimEnd()}...</summary>
      <p className="mt-1 whitespace-pre-line text-soft">{text}</p>
    </details>
  )
}
