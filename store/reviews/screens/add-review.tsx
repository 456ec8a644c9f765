import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { type UseFormReturn, useController, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { maxRating } from '#store/constants.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { SignedOutElsewhereNotice } from '#store/identity/screens/session-ended-notice.tsx'
import type { Profile } from '#store/profiles/contract.ts'
import { ImagePreview } from '#store/profiles/screens/image-preview.tsx'
import { loadOwnProfile } from '#store/profiles/screens/load-own-profile.ts'
import { NewReview, type OwnReview, type PostedReview, postReview, showOwnReview } from '#store/reviews/contract.ts'
import { displayedPicture } from '#store/reviews/displayed-picture.ts'
import { accountStorage } from '#web/account.ts'
import type { ApiError } from '#web/api-error.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { Field } from '#web/field.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { loadDraft } from '#web/form-draft.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { useDebouncedText } from '#web/use-debounced-text.ts'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useHydrated } from '#web/use-hydrated.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import type { Route } from './+types/add-review'
import { RatingField, ratingToFieldValue } from './rating-field.tsx'
import { ReviewCard } from './review-card.tsx'

type ReviewFormInput = z.input<typeof NewReview>
type ReviewFormValues = z.output<typeof NewReview>
type Reviewer = { profile: Profile; ownReview: OwnReview | null }

export const meta: Route.MetaFunction = () => [{ title: 'Post Review | Nucleus of PC' }]

export const clientLoader = async () => ({ reviewer: accountStorage.get()?.admin ? undefined : await loadReviewer() })

async function loadReviewer(): Promise<Reviewer> {
  const [profile, { review }] = await Promise.all([loadOwnProfile(), callApi(showOwnReview, {})])
  return { profile, ownReview: review }
}

export default function AddReview({ loaderData: { reviewer } }: Route.ComponentProps) {
  const [posted, setPosted] = useState<PostedReview>()
  if (!reviewer) return <CustomersOnlyPage />
  return (
    <Page
      title="Please Post Your Review Here Below"
      lead={
        reviewer.ownReview?.hidden
          ? undefined
          : 'What you post stands on the home page for everybody, once your e-mail is verified or you have paid for an order.'
      }
      wide
    >
      {posted ? <ReviewPosted review={posted} /> : <ReviewForm {...reviewer} onPosted={setPosted} />}
    </Page>
  )
}

function CustomersOnlyPage() {
  return (
    <Page title="Reviews are for customers">
      <p>You are signed in as an admin, and what a store says of itself is no review.</p>
      <ButtonLink to="/#reviews" variant="quiet" className="self-start">
        Read the reviews
      </ButtonLink>
    </Page>
  )
}

type ReviewFormProps = Reviewer & { onPosted: (review: PostedReview) => void }

function useReviewForm({ profile, ownReview, onPosted }: ReviewFormProps) {
  const outcomeUnknown = useRef(false)
  const draft = `review ${profile.email}`
  const form = useValidatedForm({
    resolver: zodResolver(NewReview),
    defaultValues: {
      name: ownReview?.name ?? profile.name,
      img: ownReview?.img ?? (profile.picture || '/drawings/avatar.svg'), // placeholder, so that the required image does not block posting
      about: ownReview?.about ?? '',
      rating: ownReview ? ratingToFieldValue(ownReview.rating) : '',
      ...loadDraft<ReviewFormInput>(draft),
    },
  })
  const typed = useWatch({ control: form.control })

  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['name', 'img', 'about', 'rating'],
    send: (review) => callApi(postReview, { body: review }),
    onDone(posted) {
      // If an earlier response was lost, `replaced` may refer to the review saved by that request, not to an older one.
      onPosted({ ...posted, replaced: posted.replaced && (ownReview !== null || !outcomeUnknown.current) })
      toast('Review Added Successfully', posted.hidden ? { kind: 'warning', detail: hiddenMessage } : {})
    },
    onRefused({ isOutcomeUnknown }) {
      outcomeUnknown.current = isOutcomeUnknown
    },
  })

  return { form, typed, submit, refusal }
}

function ReviewForm({ profile, ownReview, onPosted }: ReviewFormProps) {
  const hydrated = useHydrated()
  const { form, typed, submit, refusal } = useReviewForm({ profile, ownReview, onPosted })

  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,32rem)_minmax(0,24rem)]">
      <Panel>
        {ownReview && <ExistingReviewNotice review={ownReview} />}
        <form method="post" onSubmit={submit} noValidate={hydrated} className="flex flex-col gap-4">
          <ReviewFields form={form} imageAddress={typed.img ?? ''} />
          <ShopRating form={form} />
          <SignedOutElsewhereNotice refusal={refusal} />
          {refusal && <NotPostedNotice refusal={refusal} />}
          <Button type="submit" busy={form.formState.isSubmitting} busyLabel="Posting">
            Post Review
          </Button>
        </form>
      </Panel>
      <ReviewPreview typed={typed} bought={ownReview?.bought ?? false} hidden={ownReview?.hidden ?? false} />
    </div>
  )
}

type ReviewFieldsProps = { form: UseFormReturn<ReviewFormInput, unknown, ReviewFormValues>; imageAddress: string }

function ReviewFields({ form: { register, formState }, imageAddress }: ReviewFieldsProps) {
  const { errors } = formState
  return (
    <>
      <Field
        label="Reviewer Name"
        autoComplete="name"
        required
        hint="Required. Your account's name, unless you want another"
        error={errors.name?.message}
        {...register('name')}
      />
      <Field
        label="Reviewer Image"
        inputMode="url"
        autoComplete="photo"
        autoCapitalize="none"
        spellCheck={false}
        required
        hint="Required. Others see a drawing of the store, such as /drawings/avatar.svg; a picture of another site is kept and not shown to them"
        error={errors.img?.message}
        {...register('img')}
      />
      <ImagePreview imageAddress={imageAddress} />
      <Field
        label="Say About Our Company"
        rows={5}
        required
        hint="Required. What went well, and what did not"
        error={errors.about?.message}
        {...register('about')}
      />
    </>
  )
}

/** A part of its own, since the fields of a form are focused in the order in which they are registered. */
function ShopRating({ form }: { form: UseFormReturn<ReviewFormInput, unknown, ReviewFormValues> }) {
  const { field, fieldState } = useController({ control: form.control, name: 'rating' })
  return (
    <RatingField
      legend={`Reviewer Rating out of ${maxRating} on Our Company`}
      field={field}
      error={fieldState.error?.message}
      onCorrected={() => form.trigger('rating')}
    />
  )
}

function NotPostedNotice({ refusal }: { refusal: ApiError }) {
  return (
    <RefusalNotice
      refusal={refusal}
      outcomeUnknown="We do not know whether your review has arrived. What you wrote is kept: post it again, and it will be one review, not two."
      ref={focusOnMount}
    >
      Nothing was posted, and what you wrote is kept. Mend it and post it again.
    </RefusalNotice>
  )
}

/** Warns that posting replaces the existing review. */
function ExistingReviewNotice({ review: { hidden, hiddenAt, shown } }: { review: OwnReview }) {
  return (
    <Notice
      kind={hidden ? 'warning' : 'info'}
      title={hidden ? 'Your review is hidden by the store' : 'You have written a review already'}
      className="mb-4"
    >
      {hidden ? (
        <>
          {hiddenAt && (
            <>
              Since <DateTime at={hiddenAt} />.{' '}
            </>
          )}
          Only you and the store can read it. You can change it and post it again: it stays hidden until the store brings it back.{' '}
          <TextLink to="/help#contact">Write to us</TextLink> to ask why, or to have a changed one looked at.
        </>
      ) : (
        `It stands below. Change it and post it again: each customer has one review, and the new one replaces it.${shown ? '' : ` ${notShownMessage}`}`
      )}
    </Notice>
  )
}

type ReviewPreviewProps = {
  typed: Partial<ReviewFormInput>
  bought: boolean
  /** the store has hidden the review */
  hidden: boolean
}

/** Live preview of the review card. */
function ReviewPreview({ typed: { name, img = '', about, rating }, bought, hidden }: ReviewPreviewProps) {
  const [debouncedImage] = useDebouncedText(img)
  return (
    <aside aria-labelledby="as-posted" className="flex flex-col gap-4 max-xl:hidden xl:sticky xl:top-6 xl:self-start">
      <h2 id="as-posted" className="text-xl">
        {hidden ? 'What you and the store read' : 'What others read'}
      </h2>
      {hidden && <p className="text-soft">It is hidden from everybody else until the store brings it back.</p>}
      {rating ? (
        <ReviewCard
          review={{
            _id: '',
            name: name?.trim() || 'Your name',
            img: displayedPicture(debouncedImage),
            about: about?.trim() || 'What you say about our company.',
            rating: Number(rating),
            example: false,
            bought,
          }}
        />
      ) : (
        <p className="text-soft">It stands here as soon as you have given a rating.</p>
      )}
    </aside>
  )
}

const notShownMessage = 'It appears on the home page once your e-mail is verified or you have paid for an order.'
const hiddenMessage = 'The store has hidden your review, so only you and the store can read it until the store brings it back.'

function ReviewPosted({ review }: { review: PostedReview }) {
  const { hidden, shown, replaced, bought } = review
  return (
    <>
      <Notice
        kind={hidden ? 'warning' : 'success'}
        title="Review Added Successfully"
        ref={focusOnMount}
        action={
          <ButtonLink to="/#reviews" variant="quiet">
            See all reviews
          </ButtonLink>
        }
      >
        Thank you. {replaced && 'It has replaced your earlier review. '}
        {hidden
          ? hiddenMessage
          : !shown
            ? notShownMessage
            : bought
              ? 'This is how it stands on the home page, first among the reviews.'
              : 'This is how it stands on the home page, first among the reviews of those who have not bought here yet.'}
      </Notice>
      <h2 className="text-xl">Your review</h2>
      <ReviewCard review={{ ...review, img: displayedPicture(review.img) }} />
    </>
  )
}
