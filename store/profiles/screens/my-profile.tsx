import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { showVerificationStatus } from '#store/identity/contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { ResendVerificationEmail } from '#store/identity/screens/resend-verification-email.tsx'
import { SignedOutElsewhereNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { type Profile, profileForm, saveProfile } from '#store/profiles/contract.ts'
import { useAccount } from '#web/account.ts'
import type { ApiError } from '#web/api-error.ts'
import { Avatar } from '#web/avatar.tsx'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { Field } from '#web/field.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { clearDraft, loadDraft, useDraft } from '#web/form-draft.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { TextLink } from '#web/text-link.tsx'
import { UnsavedChangesGuard } from '#web/unsaved-changes-guard.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useHydrated } from '#web/use-hydrated.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import type { Route } from './+types/my-profile'
import { ImagePreview } from './image-preview.tsx'
import { loadOwnProfile } from './load-own-profile.ts'

export const meta: Route.MetaFunction = () => [{ title: 'My Profile | Nucleus of PC' }]

export async function clientLoader() {
  const [profile, { verified }] = await Promise.all([loadOwnProfile(), callApi(showVerificationStatus, {})])
  return { profile, verified }
}

export default function MyProfile({ loaderData: { profile, verified } }: Route.ComponentProps) {
  return (
    <Page title="My Profile" wide>
      <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,24rem)_minmax(0,32rem)]">
        <div className="flex flex-col gap-6 xl:sticky xl:top-6 xl:self-start">
          <ProfileCard profile={profile} verified={verified} />
          {!verified && <ResendVerificationEmail email={profile.email} />}
        </div>
        <ProfileForm profile={profile} />
      </div>
    </Page>
  )
}

function ProfileCard({ profile, verified }: { profile: Profile; verified: boolean }) {
  return (
    <Panel as="section" aria-labelledby="whose" className="flex flex-col gap-4 sm:p-6">
      <div className="flex items-center gap-4">
        <Avatar src={profile.picture} size={96} />
        <h2 id="whose" className="min-w-0 text-xl">
          <ValueOrPlaceholder>{profile.name}</ValueOrPlaceholder>
        </h2>
      </div>
      <DescriptionList>
        <DescriptionItem name="E-mail">
          <BreakableText>{profile.email}</BreakableText> {verified && <StatusBadge kind="good">Verified</StatusBadge>}
        </DescriptionItem>
        <DescriptionItem name="Phone">
          <ValueOrPlaceholder>{profile.phone}</ValueOrPlaceholder>
        </DescriptionItem>
        <DescriptionItem name="Education">
          <ValueOrPlaceholder>{profile.education}</ValueOrPlaceholder>
        </DescriptionItem>
        <DescriptionItem name="Location">
          <ValueOrPlaceholder>{profile.location}</ValueOrPlaceholder>
        </DescriptionItem>
        <DescriptionItem name="LinkedIn profile">
          <ValueOrPlaceholder>
            {profile.linkedIn && (
              <TextLink to={profile.linkedIn} rel="noreferrer" className="wrap-anywhere">
                <BreakableText>{profile.linkedIn.replace(/^https?:\/\//, '')}</BreakableText>
              </TextLink>
            )}
          </ValueOrPlaceholder>
        </DescriptionItem>
      </DescriptionList>
    </Panel>
  )
}

function ValueOrPlaceholder({ children }: { children: ReactNode }) {
  return children || <span className="font-normal text-soft">Not provided yet</span>
}

const editableFields = ({ picture, education, location, phone, linkedIn }: Profile) => ({ picture, education, location, phone, linkedIn })
const profileFields = ['picture', 'education', 'location', 'phone', 'linkedIn'] as const

/** Keeps what was typed as a draft, also while it is being saved. */
function useProfileForm(profile: Profile) {
  const { name, email } = profile
  const { revalidate } = useRevalidator()
  const [savedAt, setSavedAt] = useState<string>()
  const draft = `profile ${email}`
  const form = useValidatedForm({
    resolver: zodResolver(profileForm),
    defaultValues: { ...editableFields(profile), ...loadDraft<z.input<typeof profileForm>>(draft) },
  })
  const { getValues, setValue, control } = form
  useDraft(form, draft) // a save does not clear it: it may have fields that were edited during the request

  const typed = useWatch({ control })
  const unsaved = profileFields.some((field) => typed[field] !== profile[field])
  useEffect(() => {
    if (!unsaved) clearDraft(draft)
  }, [unsaved, draft])

  const { submit, refusal } = useFormSubmit(form, {
    fields: profileFields,
    async send(values) {
      const submitted = getValues()
      return { submitted, saved: await callApi(saveProfile, { params: { email }, body: { name, email, ...values } }) }
    },
    async onDone({ submitted, saved }) {
      // The server may have normalized a link. Fields edited during the request are not overwritten.
      for (const field of profileFields) if (getValues(field) === submitted[field]) setValue(field, saved[field])
      await revalidate() // updates the card above with the saved values
      setSavedAt(new Date().toISOString())
    },
  })

  return { form, typed, unsaved, savedAt, submit, refusal, discard: () => clearDraft(draft) }
}

function ProfileForm({ profile }: { profile: Profile }) {
  const hydrated = useHydrated()
  const { form, typed, unsaved, savedAt, submit, refusal, discard } = useProfileForm(profile)
  const signedIn = useAccount() !== null

  return (
    <Panel className="sm:p-6">
      <form method="post" onSubmit={submit} noValidate={hydrated} aria-labelledby="update" className="flex flex-col gap-4">
        <h2 id="update" className="text-xl">
          Update your profile
        </h2>
        <p className="text-soft">
          Picture, location and phone are needed, education and LinkedIn may stay empty. Only you and the admins of the store see your
          profile. Your name and picture are suggested to you when you write a review.
        </p>
        <ProfileFields profile={profile} form={form} imageAddress={typed.picture ?? ''} />
        <SignedOutElsewhereNotice refusal={refusal} />
        {refusal && <NotSavedNotice refusal={refusal} />}
        {savedAt && !unsaved && !refusal && (
          <Notice key={savedAt} kind="success" title="Profile saved" ref={focusOnMount}>
            Saved on <DateTime at={savedAt} />. The card above shows it.
          </Notice>
        )}
        <Button type="submit" busy={form.formState.isSubmitting} busyLabel="Saving">
          Update Profile
        </Button>
        {/* Not after the session has ended or a sign-out: the draft is restored after the next sign-in. */}
        <UnsavedChangesGuard hasUnsavedChanges={unsaved && signedIn && refusal?.code !== 'not_signed_in'} onDiscard={discard} />
      </form>
    </Panel>
  )
}

type ProfileFieldsProps = {
  profile: Profile
  form: ReturnType<typeof useProfileForm>['form']
  imageAddress: string
}

function ProfileFields({ profile, form: { register, formState }, imageAddress }: ProfileFieldsProps) {
  const { errors } = formState
  return (
    <>
      <Field label="Name" value={profile.name} readOnly hint="Name and e-mail are your account's" />
      <Field label="E-mail" value={profile.email} readOnly />
      <Field
        label="Image URL (required)"
        required
        inputMode="url"
        autoComplete="photo"
        autoCapitalize="none"
        spellCheck={false}
        hint="The address of a picture of you, beginning with https://"
        error={errors.picture?.message}
        {...register('picture')}
      />
      <ImagePreview imageAddress={imageAddress} />
      <Field
        label="Education (optional)"
        autoComplete="off"
        hint="A school, a degree or a trade"
        error={errors.education?.message}
        {...register('education')}
      />
      <Field
        label="Location (required)"
        required
        autoComplete="off"
        hint="Town and country"
        error={errors.location?.message}
        {...register('location')}
      />
      <Field
        label="Phone (required)"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        required
        hint="Digits, best with country code, like +1 555 010 0199"
        error={errors.phone?.message}
        {...register('phone')}
      />
      <Field
        label="LinkedIn profile link (optional)"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint="Like linkedin.com/in/your-name"
        error={errors.linkedIn?.message}
        {...register('linkedIn')}
      />
    </>
  )
}

function NotSavedNotice({ refusal }: { refusal: ApiError }) {
  return (
    <RefusalNotice
      refusal={refusal}
      outcomeUnknown="What you typed is kept. Press Update Profile again: saving the same twice does no harm."
      ref={focusOnMount}
    >
      What you typed is kept. Mend it and press Update Profile again.
    </RefusalNotice>
  )
}
