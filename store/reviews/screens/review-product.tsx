import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { useController } from 'react-hook-form'
import type { z } from 'zod'
import { ProductReviewCard } from '#store/catalogue/screens/product-review-card.tsx'
import { displayedReview, productReviewsUrl } from '#store/catalogue/screens/review-texts.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { SignedOutElsewhereNotice } from '#store/identity/screens/session-ended-notice.tsx'
import type { Profile } from '#store/profiles/contract.ts'
import { loadOwnProfile } from '#store/profiles/screens/load-own-profile.ts'
import {
  minProductRating,
  NewProductReview,
  type OwnProductReview,
  type PostedProductReview,
  postProductReview,
  showOwnProductReview,
} from '#store/reviews/product-review-contract.ts'
import { accountStorage } from '#web/account.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi, rethrowAsNotFound } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { loadDraft } from '#web/form-draft.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useHydrated } from '#web/use-hydrated.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import type { Route } from './+types/review-product'
import { RatingField, ratingToFieldValue } from './rating-field.tsx'

type FormInput = z.input<typeof NewProductReview>
type ReviewedProduct = { _id: string; name: string }
type Reviewer = { profile: Profile; product: ReviewedProduct; review: OwnProductReview | null; whyNot: string | null }

export const meta: Route.MetaFunction = () => [{ title: 'Review a product | Nucleus of PC' }]

export const clientLoader = async ({ params: { id } }: Route.ClientLoaderArgs) => ({
  reviewer: accountStorage.get()?.admin ? undefined : await loadReviewer(id).catch(rethrowAsNotFound),
  productId: id,
})

async function loadReviewer(id: string): Promise<Reviewer> {
  const [profile, own] = await Promise.all([loadOwnProfile(), callApi(showOwnProductReview, { params: { id } })])
  return { profile, ...own }
}

export default function ReviewProduct({ loaderData: { reviewer, productId } }: Route.ComponentProps) {
  const [posted, setPosted] = useState<PostedProductReview>()
  if (!reviewer)
    return (
      <Page title="Reviews are for customers">
        <p>You are signed in as an admin, and what a store says of its own goods is no review.</p>
        <ButtonLink to={productReviewsUrl(productId)} variant="quiet" className="self-start">
          Read the reviews
        </ButtonLink>
      </Page>
    )
  const { product, whyNot } = reviewer
  return (
    <Page
      title={`Review ${product.name}`}
      breadcrumbs={<Breadcrumbs steps={[{ label: product.name, to: `/products/${product._id}` }, { label: 'Review' }]} />}
      {...(!whyNot && !reviewer.review?.hidden && { lead: 'What you post stands on the page of the product for everybody.' })}
    >
      {posted ? (
        <ReviewPosted review={posted} product={product} />
      ) : whyNot ? (
        <MayNotPost {...reviewer} whyNot={whyNot} />
      ) : (
        <ReviewForm {...reviewer} onPosted={setPosted} />
      )}
    </Page>
  )
}

function MayNotPost({ product, review, whyNot }: Reviewer & { whyNot: string }) {
  return (
    <>
      <Notice
        kind="info"
        title="You have not bought it here, or not any more"
        action={
          <ButtonLink to={`/products/${product._id}`} variant="quiet">
            To the product
          </ButtonLink>
        }
      >
        {whyNot}. What you have paid for stands at <TextLink to="/dashboard/myorder">My Orders</TextLink>.
      </Notice>
      {review && (
        <>
          <h2 className="text-xl">Your review from before</h2>
          <ProductReviewCard review={displayedReview(review)} />
        </>
      )}
    </>
  )
}

type ReviewFormProps = Reviewer & { onPosted: (review: PostedProductReview) => void }

function useReviewForm({ profile, product, review, onPosted }: ReviewFormProps) {
  const outcomeUnknown = useRef(false)
  const draft = `review ${profile.email} ${product._id}`
  const form = useValidatedForm({
    resolver: zodResolver(NewProductReview),
    defaultValues: {
      name: review?.name ?? profile.name,
      about: review?.about ?? '',
      rating: review ? ratingToFieldValue(review.rating) : '',
      ...loadDraft<FormInput>(draft),
    },
  })
  const submission = useFormSubmit(form, {
    draft,
    fields: ['name', 'about', 'rating'],
    send: (body) => callApi(postProductReview, { params: { id: product._id }, body }),
    onDone(posted) {
      // If an earlier response was lost, `replaced` may refer to the review saved by that request, not to an older one.
      onPosted({ ...posted, replaced: posted.replaced && (review !== null || !outcomeUnknown.current) })
      toast('Review posted', posted.hidden ? { kind: 'warning', detail: hiddenMessage } : {})
    },
    onRefused({ isOutcomeUnknown }) {
      outcomeUnknown.current = isOutcomeUnknown
    },
  })
  return { form, ...submission }
}

function ReviewForm(props: ReviewFormProps) {
  const { review } = props
  const hydrated = useHydrated()
  const { form, submit, refusal } = useReviewForm(props)
  const { errors, isSubmitting } = form.formState
  const rating = useController({ control: form.control, name: 'rating' })
  return (
    <Panel>
      {review && <ExistingReviewNotice review={review} />}
      <form method="post" onSubmit={submit} noValidate={hydrated} className="flex flex-col gap-4">
        <RatingField
          legend="Your rating"
          lowest={minProductRating}
          field={rating.field}
          error={errors.rating?.message}
          onCorrected={() => form.trigger('rating')}
        />
        <Field
          label="What you say about it"
          rows={6}
          required
          hint="Required. What it is good for, and what it is not"
          error={errors.about?.message}
          {...form.register('about')}
        />
        <Field
          label="Name that is shown"
          autoComplete="name"
          required
          hint="Required. Your account's name, unless you want another"
          error={errors.name?.message}
          {...form.register('name')}
        />
        <SignedOutElsewhereNotice refusal={refusal} />
        {refusal && (
          <RefusalNotice
            refusal={refusal}
            outcomeUnknown="We do not know whether your review has arrived. What you wrote is kept: post it again, and it will be one review, not two."
            ref={focusOnMount}
          >
            Nothing was posted, and what you wrote is kept.
          </RefusalNotice>
        )}
        <Button type="submit" busy={isSubmitting} busyLabel="Posting">
          Post review
        </Button>
      </form>
    </Panel>
  )
}

/** Says that posting replaces the existing review. */
const ExistingReviewNotice = ({ review: { hidden } }: { review: OwnProductReview }) => (
  <Notice
    kind={hidden ? 'warning' : 'info'}
    title={hidden ? 'Your review is hidden by the store' : 'You have reviewed it already'}
    className="mb-4"
  >
    {hidden ? (
      <>
        Only you and the store can read it. You can change it and post it again: it stays hidden until the store brings it back.{' '}
        <TextLink to="/help#contact">Write to us</TextLink> to ask why.
      </>
    ) : (
      'It stands below. Change it and post it again: the new one replaces it.'
    )}
  </Notice>
)

const hiddenMessage = 'The store has hidden your review, so only you and the store can read it until the store brings it back.'

function ReviewPosted({ review, product }: { review: PostedProductReview; product: ReviewedProduct }) {
  const { hidden, replaced } = review
  return (
    <>
      <Notice
        kind={hidden ? 'warning' : 'success'}
        title="Review posted"
        ref={focusOnMount}
        action={
          <ButtonLink to={productReviewsUrl(product._id)} variant="quiet" prefetch="none">
            All reviews of it
          </ButtonLink>
        }
      >
        Thank you. {replaced && 'It has replaced your earlier review. '}
        {hidden ? hiddenMessage : 'This is how it stands on the page of the product, first among the reviews.'}
      </Notice>
      <h2 className="text-xl">Your review</h2>
      <ProductReviewCard review={displayedReview(review)} />
    </>
  )
}
