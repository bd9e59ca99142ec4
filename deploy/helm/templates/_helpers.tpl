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

{{/* The settings of the service, which the migration reads as well: the checks of settings look at all of them together. */}}
{{- define "muster.settings" -}}
{{- $secret := .Values.auth.existingSecret | quote }}
{{- if .Values.auth.jwksUrl }}
- { name: AUTH_JWKS_URL, value: {{ .Values.auth.jwksUrl | quote }} }
{{- else }}
- name: AUTH_JWT_SECRET
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ .Values.auth.jwtSecretKey | quote }} } }
{{- with .Values.auth.jwtPreviousSecretKey }}
- name: AUTH_JWT_SECRET_PREVIOUS
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . | quote }} } }
{{- end }}
{{- end }}
{{- with .Values.auth.issuer }}
- { name: AUTH_ISSUER, value: {{ . | quote }} }
{{- end }}
{{- with .Values.auth.audience }}
- { name: AUTH_AUDIENCE, value: {{ . | quote }} }
{{- end }}
- name: ACCOUNTS_SECRET
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ .Values.auth.accountsSecretKey | quote }} } }
{{- with .Values.auth.oidcClientSecretKey }}
- name: OIDC_CLIENT_SECRET
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . | quote }} } }
{{- end }}
- { name: HOST, value: "0.0.0.0" }
- { name: PORT, value: "3000" }
- { name: METRICS_PORT, value: {{ .Values.metrics.port | quote }} }
{{- with .Values.publicUrl }}
- { name: PUBLIC_URL, value: {{ . | quote }} }
- { name: TRUST_PROXY, value: {{ $.Values.trustProxy | quote }} }
{{- end }}
{{- range $name, $value := .Values.settings }}
{{- /* Helm reads a number of a file as a float, which it would write as 1e+06. */}}
- { name: {{ $name }}, value: {{ ternary $value ($value | int64) (kindIs "string" $value) | quote }} }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Which nodes take the pods of the service and of the migration. */}}
{{- define "muster.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
