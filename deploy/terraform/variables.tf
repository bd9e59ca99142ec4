variable "kubeconfig" {
  description = "The kubeconfig file of the cluster."
  type        = string
}

variable "namespace" {
  type    = string
  default = "muster"
}

variable "region" {
  description = "The AWS region of the cluster and the database."
  type        = string
}

variable "vpc_id" {
  type = string
}

variable "database_subnet_ids" {
  description = "Private subnets in at least two availability zones."
  type        = list(string)
}

variable "node_security_group_id" {
  description = "The security group of the nodes, which may reach the database."
  type        = string
}

variable "database_instance_class" {
  type    = string
  default = "db.m7g.large"
}

variable "database_ca_file" {
  description = "The certificate authorities of Amazon RDS for the region, as a PEM file."
  type        = string
}

variable "image_repository" {
  description = "The image, without a tag: the chart's version is the tag."
  type        = string
}

variable "owner_email" {
  description = "The first owner, who signs in with a one-time password."
  type        = string
}

variable "public_host" {
  description = "The host name that players and browsers use."
  type        = string
}

variable "tls_secret" {
  description = "A Secret of the type kubernetes.io/tls in the namespace, for the host."
  type        = string
  default     = "muster-tls"
}

variable "ingress_class" {
  description = "Empty: the default class of the cluster."
  type        = string
  default     = ""
}

variable "ingress_namespace" {
  description = "The namespace of the ingress controller. No other pods may reach the service."
  type        = string
}

variable "has_monitoring" {
  description = "Whether the cluster has the Prometheus operator."
  type        = bool
  default     = false
}

variable "runbook_url" {
  description = "Where alerts link to, such as https://docs.example/operations; empty: no link."
  type        = string
  default     = ""
}
