{{- define "muster.name" -}}
{{- printf "%s" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "muster.selectorLabels" -}}
app.kubernetes.io/name: muster
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "muster.labels" -}}
{{ include "muster.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "muster.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* The profile "restricted" of Kubernetes' Pod Security Standards. */}}
{{- define "muster.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "muster.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* What the service and the migration need alike. */}}
{{- define "muster.authEnv" -}}
{{- if .Values.auth.jwksUrl }}
- { name: AUTH_JWKS_URL, value: {{ .Values.auth.jwksUrl | quote }} }
{{- else }}
- name: AUTH_JWT_SECRET
  valueFrom: { secretKeyRef: { name: {{ .Values.auth.existingSecret | quote }}, key: {{ .Values.auth.jwtSecretKey | quote }} } }
{{- end }}
{{- with .Values.auth.issuer }}
- { name: AUTH_ISSUER, value: {{ . | quote }} }
{{- end }}
{{- with .Values.auth.audience }}
- { name: AUTH_AUDIENCE, value: {{ . | quote }} }
{{- end }}
- name: ACCOUNTS_SECRET
  valueFrom: { secretKeyRef: { name: {{ .Values.auth.existingSecret | quote }}, key: {{ .Values.auth.accountsSecretKey | quote }} } }
{{- end -}}
